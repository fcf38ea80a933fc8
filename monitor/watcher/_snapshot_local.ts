/** `snapshot_local`: the text whose change is a local change (contract 01 §6). */
import type { GitMemo } from "../_emit/git-listing.ts";
import { takeSnapshot } from "../_emit/take-snapshot.ts";
import { writeLastSnapshot } from "../_state/last-snapshot.ts";
import type { Doors } from "../_sys/doors.ts";
import type { TaskSpec, WatcherContext } from "./context.ts";

export const snapshotLocalTask: TaskSpec = {
	name: "snapshot_local",
	intervalSeconds: () => 30,
	class: "medium",
	async: true,
	make: (ctx) => {
		const gitMemo: GitMemo = new Map();
		return async (run) => {
			const out = await snapshot(ctx, run.doors, gitMemo, run.signal);
			if (out !== null) return { rc: 0, out };
			run.log("no snapshot: tmux does not answer");
			return { rc: 1 };
		};
	},
};

/** The first `last-snapshot.txt` (contract 01 §2.1.12). False: no snapshot could be taken or written. */
export async function takeBaseline(
	ctx: WatcherContext,
	doors: Doors,
	signal: AbortSignal,
): Promise<boolean> {
	const text = await snapshot(ctx, doors, new Map(), signal);
	return (
		text !== null &&
		writeLastSnapshot(doors.files, ctx.stateDir, text).kind === "ok"
	);
}

function snapshot(
	{ root, stateDir, config, panesThisTick }: WatcherContext,
	doors: Doors,
	gitMemo: GitMemo,
	signal: AbortSignal,
): Promise<string | null> {
	return takeSnapshot(
		doors,
		{
			root,
			stateDir,
			reportsRecent: config.MONITOR_SNAPSHOT_REPORTS_RECENT_N,
			reportsTimeoutMs:
				config["monitor.snapshot.reports_timeout_seconds"] * 1000,
			gitEnabled: config["monitor.snapshot.git_enabled"],
			gitTimeoutMs: config["monitor.snapshot.git_timeout_seconds"] * 1000,
			gitMemo,
			panes: panesThisTick,
		},
		signal,
	);
}
