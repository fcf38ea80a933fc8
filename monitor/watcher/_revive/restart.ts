/** Restarts the watcher through `svc`, the way an operator would (contract 01 §16.3). */

import type { Verdict } from "../../_liveness/verdict.ts";
import type { Home } from "../../_state/home.ts";
import { peekWatcherHeartbeat } from "../../_state/watcher-heartbeat.ts";
import { peekWatcherPid } from "../../_state/watcher-pid.ts";
import { writeWatcherRevived } from "../../_state/watcher-revived.ts";
import type { Doors } from "../../_sys/doors.ts";
import { programArgv } from "../../_sys/names.ts";

/** Restart lock, kill wait and start together; an installer of Claude Code may run in between. */
const LIMIT_MS = 15 * 60_000;

/** What `svc restart watcher` said, and its exit code. */
export interface Restarted {
	readonly rc: number;
	readonly said: string;
}

/** `REVIVE_SVC_BIN` stands in for svc. */
export async function restartThroughSvc(
	doors: Pick<Doors, "proc">,
	home: Home,
): Promise<Restarted> {
	const { proc } = doors;
	const args = ["restart", "watcher"];
	const bin = proc.env.REVIVE_SVC_BIN;
	const argv = bin
		? [bin, ...args]
		: programArgv(proc.execPath, "svc", args, home.codeRoot);
	const env = Object.entries(proc.env).filter(
		(e): e is [string, string] => e[1] !== undefined,
	);
	const done = await proc.exec(argv, {
		timeoutMs: LIMIT_MS,
		env: {
			...Object.fromEntries(env),
			NEXUS_ROOT: home.root,
			NEXUS_STATE_DIR: home.stateDir,
			WATCHER_LAUNCH_CALLER: "revive-watcher",
		},
	});
	if (done.kind !== "exited")
		return { rc: 1, said: `svc restart watcher: ${done.kind}` };
	return { rc: done.rc, said: `${done.stdout}${done.stderr}`.trimEnd() };
}

/** So that the next sweep tells the orchestrator what it missed; not for a watcher that never ran. */
export function markRevived(
	doors: Pick<Doors, "files" | "clock">,
	stateDir: string,
	verdict: Verdict,
): void {
	const { files, clock } = doors;
	const everRan =
		peekWatcherHeartbeat(files, stateDir).kind !== "absent" ||
		peekWatcherPid(files, stateDir).kind !== "absent";
	if (!everRan) return;
	writeWatcherRevived(files, stateDir, {
		reason: verdict.reason,
		downtimeEstimateSeconds: verdict.heartbeatAge,
		detectedAt: clock.iso(),
		restartedBy: "orchestrator-monitor",
	});
}
