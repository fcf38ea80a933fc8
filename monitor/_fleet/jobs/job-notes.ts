/** What is written of a job between its runs: its runtime, and rows of its log that no run made. */
import { appendRun, type RunOutcome } from "../../_state/fleet/monitor-log.ts";
import {
	type JobRuntime,
	readRuntime,
	writeRuntime,
} from "../../_state/fleet/monitor-run.ts";
import { isoSeconds } from "../../_state/fleet/time.ts";
import type { LocalContext } from "../local/context.ts";

export interface JobNotes {
	read(name: string): JobRuntime;
	/** False: it could not be kept, and that has been said. */
	save(name: string, runtime: JobRuntime): boolean;
	log(name: string, outcome: RunOutcome): void;
}

/** Of all jobs of one fleet. */
export function jobNotes({
	doors,
	place: { thrumDir },
}: LocalContext): JobNotes {
	const { files, clock } = doors;
	return {
		read: (name) => readRuntime(files, thrumDir, name),
		save: (name, runtime) => {
			const written = writeRuntime(files, thrumDir, name, runtime);
			if (written.kind !== "ok")
				doors.log.warn(`fleet: monitor ${name}: ${written.reason}`);
			return written.kind === "ok";
		},
		log: (name, outcome) => {
			const at = isoSeconds(clock.nowMs());
			const nothing = {
				exitCode: null,
				seconds: 0,
				matched: 0,
				messageId: null,
			};
			appendRun(files, thrumDir, name, { at, outcome, ...nothing });
		},
	};
}
