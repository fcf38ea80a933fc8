/** What one run of a job is worth telling (contract 09 §7.2). Pure. */
import { outputLines, outputTail } from "./job-lines.ts";

export interface JobRun {
	/** 124 = over its time; 127 = did not start, and `output` says why. */
	readonly exitCode: number;
	/** Standard output and error as one stream. */
	readonly output: string;
}
export interface JobRules {
	readonly name: string;
	readonly match: RegExp;
	readonly notifyOnSuccess: boolean;
	readonly limitBytes: number;
}
/** The failure that was told last; null: the run before was none. */
export interface HeldFailure {
	readonly exitCode: number;
	/** Epoch seconds. */
	readonly since: number;
}
export interface Delivery {
	readonly body: string;
}
export interface Outcome {
	/** Null: nothing to tell. */
	readonly delivery: Delivery | null;
	/** For the next run. */
	readonly held: HeldFailure | null;
	readonly matched: number;
}

/** As the last non-empty line of a run that found nothing: it was looked at, and not even a success is news. */
export const QUIET_MARKER = "THRUM_ROSTER_JEV_ARCHIVE_ONLY_V1";
const TAIL_BYTES = 500;
const REPEAT_SECONDS = 30 * 60;
const FAILS = /^(?:ERROR|FATAL|FAIL):/;
const WARNS = /^(?:WARN|WARNING|ALERT):/;

/** `now` in epoch seconds. A failure is told once, and again when half an hour has passed or its exit code changed. */
export function outcomeOf(
	run: JobRun,
	job: JobRules,
	prev: HeldFailure | null,
	now: number,
): Outcome {
	const read = readRun(run, job);
	const matched = read.matched.length;
	if (run.exitCode === 0)
		return { delivery: messageOf(run, job, read), held: null, matched };
	const age = prev === null ? Number.POSITIVE_INFINITY : now - prev.since;
	const isHeld =
		prev?.exitCode === run.exitCode && age >= 0 && age < REPEAT_SECONDS;
	return isHeld
		? { delivery: null, held: prev, matched }
		: {
				delivery: messageOf(run, job, read),
				held: { exitCode: run.exitCode, since: now },
				matched,
			};
}

/** The one message of a run, or null. */
export function outcomeMessage(run: JobRun, job: JobRules): Delivery | null {
	return messageOf(run, job, readRun(run, job));
}

/** Read once: a job may print millions of lines, and the watcher waits meanwhile. */
interface RunRead {
	readonly lines: readonly string[];
	readonly matched: readonly string[];
}

function readRun({ output }: JobRun, { match }: JobRules): RunRead {
	const lines = outputLines(output);
	return { lines, matched: lines.filter((line) => match.test(line)) };
}

function messageOf(
	run: JobRun,
	job: JobRules,
	{ lines, matched }: RunRead,
): Delivery | null {
	const { name, limitBytes } = job;
	const told = (head: readonly string[]) => ({
		body: withinLimit(head, matched, limitBytes),
	});
	if (run.exitCode !== 0) {
		const tail = outputTail(run.output, TAIL_BYTES);
		const head = `[FAIL] ${name}: exit code ${run.exitCode}`;
		return told(tail === "" ? [head] : [head, tail]);
	}
	// A line that no longer fits still sets the label.
	if (matched.some((line) => FAILS.test(line)))
		return told([`[FAIL] ${name}: matched error pattern`]);
	if (matched.some((line) => WARNS.test(line)))
		return told([`[WARN] ${name}: matched WARNING`]);
	if (matched.length > 0) return told([]);
	if (!job.notifyOnSuccess || isQuiet(lines)) return null;
	return { body: `[OK] ${name}: succeeded` };
}

function isQuiet(lines: readonly string[]): boolean {
	return lines.findLast((line) => line.trim() !== "") === QUIET_MARKER;
}

/** Head, matched lines as far as they fit, and what was left out. */
function withinLimit(
	head: readonly string[],
	matched: readonly string[],
	limitBytes: number,
): string {
	const shown = matched.filter((line) => line !== "");
	const empty = matched.length - shown.length;
	const ending = empty > 0 ? [`[matched ${empty} empty line(s)]`] : [];
	const all = [...head, ...shown, ...ending].join("\n");
	if (Buffer.byteLength(all) <= limitBytes) return all;
	const around = [...head, omittedNote(shown.length), ...ending].join("\n");
	let left = limitBytes - Buffer.byteLength(around);
	let count = 0;
	for (const line of shown) {
		left -= Buffer.byteLength(line) + 1;
		if (left < 0) break;
		count++;
	}
	const note = omittedNote(shown.length - count);
	const told = [...head, ...shown.slice(0, count), note, ...ending].join("\n");
	return outputTail(told, limitBytes);
}

function omittedNote(count: number): string {
	return `[${count} more matched lines omitted]`;
}
