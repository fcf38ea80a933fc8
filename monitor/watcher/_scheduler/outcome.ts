/** What is kept of a run that ended: staged output, `.err`, telemetry, log lines (contract 01 §4). */
import {
	appendSchedulerEvent,
	type SchedulerPhase,
} from "../../_state/scheduler-log.ts";
import { stageOut, writeErr } from "../../_state/staging.ts";
import type { Doors } from "../../_sys/doors.ts";
import { replayLines } from "./replay.ts";
import type { Task } from "./task.ts";

export interface OutcomePlace {
	readonly doors: Pick<Doors, "clock" | "files" | "log">;
	readonly stageDir: string;
	readonly logPath: string;
	/** By the disk's clock, epoch seconds. */
	readonly processStartedAt: number;
}

/** `text` undefined = the run staged nothing: what is there stays. */
export function keepOut(
	place: OutcomePlace,
	task: Task,
	text: string | undefined,
): void {
	if (text === undefined) return;
	const { doors, stageDir, processStartedAt } = place;
	const wrote = stageOut(
		doors.files,
		stageDir,
		task.name,
		text,
		processStartedAt,
	);
	if (wrote.kind === "failed" && !task.stageFailed)
		doors.log.warn(
			`scheduler[${task.name}] could not stage its output: ${wrote.reason}`,
		);
	task.stageFailed = wrote.kind === "failed";
}

/** `.err` is an async task's alone; the log has everybody's. */
export function keepLines(
	place: OutcomePlace,
	task: Task,
	rc: number,
	lines: readonly string[],
): void {
	if (task.async && lines.length > 0)
		writeErr(place.doors.files, place.stageDir, task.name, lines);
	for (const line of replayLines(task.name, rc, lines))
		place.doors.log.info(line);
}

/** One line of telemetry; best effort. */
export function keepEvent(
	place: OutcomePlace,
	task: Task,
	phase: SchedulerPhase,
	rc: number,
	elapsedMs: number,
): void {
	const { doors, logPath } = place;
	appendSchedulerEvent(doors.files, logPath, {
		ts: doors.clock.iso(),
		task: task.name,
		rc,
		elapsedMs,
		nextFire: task.timing.nextFire,
		phase,
	});
}
