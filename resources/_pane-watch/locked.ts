/** One pass of a watcher at a time (contract 09 §11): a second one leaves, and a corpse is cleared away. */
import { takeLockDir } from "../../monitor/_state/fleet/lock-dir.ts";
import {
	logPaneWatch,
	paneWatchLockDir,
} from "../../monitor/_state/fleet/pane-watch-files.ts";
import type { ProcessEvents } from "../../monitor/_sys/process-events.ts";
import { type PaneWatch, type PassEnd, runPass } from "./pass.ts";

const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The lock goes on every way out; a job that takes too long is ended by a signal. */
export async function runLockedPass(
	job: PaneWatch,
	events: Pick<ProcessEvents, "onSignal" | "onExit" | "exit">,
): Promise<PassEnd> {
	const { doors, thrumDir, watcher } = job;
	const { files, clock, proc } = doors;
	const log = (text: string) =>
		logPaneWatch(files, thrumDir, watcher, clock.nowMs(), text);
	const own = proc.stat(proc.pid);
	const lock = takeLockDir(
		{
			files,
			nowMs: clock.nowMs(),
			self: {
				pid: proc.pid,
				start: own.kind === "ok" ? own.value.startTicks : "",
			},
			stat: (pid) => proc.stat(pid),
		},
		paneWatchLockDir(thrumDir, watcher),
	);
	if (lock.kind === "busy") {
		log(`SKIP another pass is under way (${lock.holder || "no owner"})`);
		return { exitCode: 0 };
	}
	if (lock.kind === "failed") {
		log(`ERROR lock: ${lock.why}`);
		return { exitCode: 1, err: `ERROR: lock: ${lock.why}` };
	}
	if (lock.reclaimed) log("RECLAIMED the lock of a pass that died");
	events.onExit(lock.release);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
		events.onSignal(signal, () => {
			log(`ENDED by ${signal}`);
			lock.release();
			events.exit(SIGNAL_EXIT[signal]);
		});
	try {
		return await runPass(job);
	} catch (cause) {
		// A run without a line looks like one that never happened.
		log(`ERROR ${cause}`);
		throw cause;
	} finally {
		lock.release();
	}
}
