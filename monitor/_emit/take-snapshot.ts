/** Takes the local snapshot (contract 01 §6). */
import type { Clock, Files, Log, PaneRows, Proc } from "../_sys/doors.ts";
import { type GitMemo, listClones } from "./git-listing.ts";
import { listReports } from "./reports-listing.ts";
import { renderSnapshot, windowsOf } from "./snapshot.ts";

export interface SnapshotFacts {
	readonly root: string;
	readonly stateDir: string;
	readonly reportsRecent: number;
	readonly reportsTimeoutMs: number;
	readonly gitEnabled: boolean;
	readonly gitTimeoutMs: number;
	/** Lives as long as the watcher. */
	readonly gitMemo: GitMemo;
	readonly panes: () => Promise<PaneRows>;
}
type Doors = {
	readonly files: Files;
	readonly clock: Clock;
	readonly log: Log;
	readonly proc: Pick<Proc, "exec" | "env">;
};

/** Null: tmux hung or the run was aborted, which says nothing about its windows. A tmux that fails has none. */
export async function takeSnapshot(
	doors: Doors,
	f: SnapshotFacts,
	signal: AbortSignal,
): Promise<string | null> {
	const panes = await f.panes();
	if (panes.kind === "hung" || panes.kind === "aborted") return null;
	const reports = await listReports(
		doors,
		{
			root: f.root,
			stateDir: f.stateDir,
			recent: f.reportsRecent,
			timeoutMs: f.reportsTimeoutMs,
		},
		signal,
	);
	const git = f.gitEnabled
		? await listClones(doors, f.root, f.gitTimeoutMs, f.gitMemo, signal)
		: null;
	if (signal.aborted) return null;
	return renderSnapshot({
		windows: panes.kind === "ok" ? windowsOf(panes.rows) : [],
		reports,
		git,
	});
}
