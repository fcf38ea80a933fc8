/** One watcher as a process of the simulated machine: the real program on the doors of a life. */
import type { Log } from "../monitor/_sys/doors.ts";
import { BUN_FLAGS } from "../monitor/_sys/names.ts";
import type { ProcessEvents } from "../monitor/_sys/process-events.ts";
import { runWatcher } from "../monitor/watcher/run.ts";
import { SimulatedCrash } from "../tests/fakes/faults.ts";
import type { SimDoors } from "./hands.ts";
import type { Lateness } from "./lateness.ts";
import { type Life, startLife } from "./life.ts";
import { ENV, ROOT } from "./place.ts";

/** One watcher, and how it ended. */
export interface WatcherRun {
	readonly life: Life;
	/** Null while it runs or when it was killed. */
	exit: number | null;
	/** A bug: what it threw. */
	crash: string | null;
}

export function runWatcherAs(
	pid: number,
	doors: SimDoors,
	lateness: Lateness,
	note: (line: string) => void,
	onEnd: () => void,
): WatcherRun {
	doors.proc.add({
		pid,
		comm: "bun",
		environ: ENV,
		cwd: ROOT,
		argv: ["bun", ...BUN_FLAGS, `${ROOT}/monitor/watcher/main.ts`],
	});
	const log: Log = {
		info: (msg) => {
			note(msg);
			doors.log.info(msg);
		},
		warn: (msg) => {
			note(msg);
			doors.log.warn(msg);
		},
	};
	note("started");
	const life: Life = startLife({ ...doors, lateness, log }, pid, ENV, () => {
		note("ended");
		doors.proc.end(pid);
		onEnd();
	});
	const run: WatcherRun = { life, exit: null, crash: null };
	const { events, atExit } = eventsOf(life, run);
	runWatcher({ doors: life.doors, events, codeRoot: ROOT }, []).then(
		(code) => {
			run.exit = code;
			atExit();
			life.kill();
		},
		(error) => {
			if (!(error instanceof SimulatedCrash))
				run.crash = error instanceof Error ? (error.stack ?? "") : `${error}`;
			atExit();
			life.kill();
		},
	);
	return run;
}

function eventsOf(life: Life, run: WatcherRun) {
	const atExit: (() => void)[] = [];
	const ends = () => {
		if (life.isDead) return;
		for (const handler of atExit.splice(0)) handler();
	};
	const events: ProcessEvents = {
		onSignal: () => {},
		onExit: (handler) => void atExit.push(handler),
		onStrayRejection: () => {},
		onUncaught: () => {},
		keepAlive: () => {},
		exit: (code) => {
			run.exit = code;
			ends();
			life.kill();
			throw new SimulatedCrash("exited");
		},
		exportEnv: () => {},
	};
	return { events, atExit: ends };
}
