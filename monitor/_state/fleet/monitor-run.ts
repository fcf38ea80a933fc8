/** `T/monitors/<name>.run.json`: what the scheduler knows of a job; losing it costs one run at most (contract 09 §6.1, §7.3). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import { numberAt, parseObject, textAt } from "../json-object.ts";
import { monitorsDir } from "./monitor-spec.ts";

/** Instead of the pid of a run that is about to be started: noted before, because afterwards the disk may be full or the scheduler dead. */
export const NOT_YET = 0;

/** A run that is under way, or was left by a scheduler that died. */
export interface RunningJob {
	readonly pid: number;
	/** Field 22 of /proc/<pid>/stat: a pid alone is nobody. */
	readonly start: string;
	/** Epoch seconds. */
	readonly startedAt: number;
	/** Who started it, and will take up its result while it lives. */
	readonly scheduler: { readonly pid: number; readonly start: string };
}
export interface JobRuntime {
	/** Rises with every start; a result of an older one is dropped. */
	readonly generation: number;
	/** The schedule that `nextFire` was worked out from. */
	readonly schedule: string;
	/** Epoch seconds; null: never again. */
	readonly nextFire: number | null;
	readonly running: RunningJob | null;
	readonly lastExitCode: number | null;
	readonly lastExitAt: string | null;
	/** The failure that was reported last, and when (epoch seconds); null after a success. */
	readonly heldExitCode: number | null;
	readonly heldSince: number | null;
	/** Told once that it never fires again. */
	readonly deadNoticed: boolean;
}

const NEW_RUNTIME: JobRuntime = {
	generation: 0,
	schedule: "",
	nextFire: null,
	running: null,
	lastExitCode: null,
	lastExitAt: null,
	heldExitCode: null,
	heldSince: null,
	deadNoticed: false,
};

/** A torn file is as good as none: the next fire is worked out anew. */
export function readRuntime(
	files: Pick<Files, "read">,
	thrumDir: string,
	name: string,
): JobRuntime {
	const read = files.read(runtimePath(thrumDir, name));
	return read.kind === "ok" ? parseRuntime(read.text) : NEW_RUNTIME;
}

/** Flushed: what it says of a running child must outlive a crash. Times in epoch seconds. */
export function writeRuntime(
	files: Files,
	thrumDir: string,
	name: string,
	r: JobRuntime,
): WriteResult {
	const json = {
		generation: r.generation,
		schedule: r.schedule,
		next_fire: r.nextFire,
		running: r.running && {
			pid: r.running.pid,
			start: r.running.start,
			started_at: r.running.startedAt,
			scheduler_pid: r.running.scheduler.pid,
			scheduler_start: r.running.scheduler.start,
		},
		last_exit_code: r.lastExitCode,
		last_exit_at: r.lastExitAt,
		held_exit_code: r.heldExitCode,
		held_since: r.heldSince,
		dead_noticed: r.deadNoticed,
	};
	return files.writeAtomic(
		runtimePath(thrumDir, name),
		`${JSON.stringify(json, null, "\t")}\n`,
		{ mode: 0o600, fsync: true },
	);
}

/** With the output of the last run. */
export function removeRuntime(
	files: Files,
	thrumDir: string,
	name: string,
): WriteResult {
	files.remove(outputPath(thrumDir, name));
	return files.remove(runtimePath(thrumDir, name));
}

/** Standard output and error of the run, as one stream. */
export function outputPath(thrumDir: string, name: string): string {
	return join(monitorsDir(thrumDir), `${name}.out`);
}

function runtimePath(thrumDir: string, name: string): string {
	return join(monitorsDir(thrumDir), `${name}.run.json`);
}

function parseRuntime(text: string): JobRuntime {
	const json = parseObject(text);
	const pid = numberAt(json, "running", "pid");
	const start = textAt(json, "running", "start");
	return {
		generation: numberAt(json, "generation") ?? 0,
		schedule: textAt(json, "schedule") ?? "",
		nextFire: numberAt(json, "next_fire"),
		running:
			pid === null || (start === null && pid !== NOT_YET)
				? null
				: {
						pid,
						start: start ?? "",
						startedAt: numberAt(json, "running", "started_at") ?? 0,
						scheduler: {
							pid: numberAt(json, "running", "scheduler_pid") ?? 0,
							start: textAt(json, "running", "scheduler_start") ?? "",
						},
					},
		lastExitCode: numberAt(json, "last_exit_code"),
		lastExitAt: textAt(json, "last_exit_at"),
		heldExitCode: numberAt(json, "held_exit_code"),
		heldSince: numberAt(json, "held_since"),
		deadNoticed: json?.dead_noticed === true,
	};
}
