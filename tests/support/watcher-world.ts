/** A fake machine with our checkout at /code, a root at /root, and a watcher that a test can make live, old or dead. */
import { readSettings, type Settings } from "../../monitor/_state/settings.ts";
import {
	renderWatcherHeartbeat,
	watcherHeartbeatPath,
} from "../../monitor/_state/watcher-heartbeat.ts";
import { watcherPidPath } from "../../monitor/_state/watcher-pid.ts";
import { watcherProgressPath } from "../../monitor/_state/watcher-progress.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

export const ROOT = "/root";
export const CODE = "/code";
export const STATE = "/root/monitor/.state";
export const MAIN = "/code/monitor/watcher/main.ts";
export const WATCHER_PID = 700;

export interface WatcherLook {
	/** Default: the process lives. */
	readonly alive?: boolean;
	/** Seconds; null = no file. Default 5. */
	readonly heartbeatAge?: number | null;
	/** Seconds; null = no file. Default 5. */
	readonly progressAge?: number | null;
	/** The one before it runs with its own environment. Default: our state dir's. */
	readonly pid?: number;
}
export interface WatcherWorld {
	readonly doors: FakeDoors;
	readonly settings: Settings;
	/** A watcher as it looks from outside; may be called again to change it. */
	watcher(look?: WatcherLook): void;
}

export async function watcherWorld(
	opts: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<WatcherWorld> {
	const doors = fakeDoors({
		auto: true,
		proc: {
			env: { NEXUS_ROOT: ROOT, NEXUS_STATE_DIR: STATE, ...opts.env },
		},
	});
	doors.files.seed(MAIN, "");
	doors.files.seedDir(STATE);
	doors.proc.programs.set("tmux", "/usr/bin/tmux");
	const settings = await readSettings(doors, CODE, false);
	return {
		doors,
		settings,
		watcher: (look = {}) => place(doors, look),
	};
}

function place(doors: FakeDoors, look: WatcherLook): void {
	const { pid = WATCHER_PID, heartbeatAge = 5, progressAge = 5 } = look;
	const now = doors.clock.now();
	doors.proc.end(pid);
	if (look.alive ?? true)
		doors.proc.add({
			pid,
			argv: ["bun", MAIN],
			environ: { NEXUS_STATE_DIR: STATE },
			// Ten hours old: its own youth is no sign of progress.
			startTicks: String((86_400 - 36_000) * 100),
		});
	doors.files.seed(watcherPidPath(STATE), `${pid}\n`);
	doors.files.remove(watcherHeartbeatPath(STATE));
	doors.files.remove(watcherProgressPath(STATE));
	if (heartbeatAge !== null)
		doors.files.seed(
			watcherHeartbeatPath(STATE),
			renderWatcherHeartbeat({ pid, ts: "", target: "orchestrator" }),
			{ mtime: now - heartbeatAge },
		);
	if (progressAge !== null)
		doors.files.seed(
			watcherProgressPath(STATE),
			`pid=${pid}\nepoch=${now - progressAge}\nts=\nstage=loop-tick\n`,
			{ mtime: now - progressAge },
		);
}
