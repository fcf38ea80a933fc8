/** What became of an async run, from the evidence that is there (contract 08 §4.2). Pure. */
import type { Looked, ProcStat } from "../_sys/doors.ts";
import type { AsyncRun, AsyncRunStatus } from "./async-run.ts";

export type RunWord =
	/** Ended, and its exit status is known. */
	| "terminal"
	| "cancel-requested"
	| "cancelled"
	| "running"
	/** Gone without an exit status. Never "finished". */
	| "died"
	| "unknown";
export type Disposition = "settled" | "live" | "gone" | "doubt";
export interface RunVerdict {
	readonly word: RunWord;
	readonly detail: string;
}

/** Is the run's own process there: not a stranger who got its pid? */
export type RunProcess = "alive" | "gone" | "unverifiable";

const DISPOSITIONS = new Map<string, Disposition>([
	["terminal", "settled"],
	["cancelled", "settled"],
	["cancel-requested", "live"],
	["running", "live"],
	["died", "gone"],
]);

/** A word that is not listed is doubt. */
export function disposition(word: string): Disposition {
	return DISPOSITIONS.get(word) ?? "doubt";
}

export const NO_SUCH_RUN: RunVerdict = {
	word: "unknown",
	detail: "no such token",
};

/** `alive` only when pid and start ticks both match; without either nothing can be said. A zombie is gone. */
export function runProcess(run: AsyncRun, stat: Looked<ProcStat>): RunProcess {
	if (run.pid === null || run.startTicks === null) return "unverifiable";
	if (stat.kind === "absent") return "gone";
	if (stat.kind === "unknown") return "unverifiable";
	const { startTicks, state } = stat.value;
	return startTicks === run.startTicks && state !== "Z" ? "alive" : "gone";
}

/** `statusAgain`: read after the process was seen gone; its last act is to write it. */
export function runVerdict(
	run: AsyncRun,
	process: RunProcess,
	statusAgain: AsyncRunStatus | null,
): RunVerdict {
	const status = run.status ?? (process === "gone" ? statusAgain : null);
	if (status !== null)
		return {
			word: "terminal",
			detail: `rc=${status.rc}, ${output(run, true)}`,
		};
	if (process === "unverifiable")
		return {
			word: "unknown",
			detail: `whether pid ${run.pid ?? "(not recorded)"} is still this run cannot be told, ${output(run, false)}`,
		};
	if (process === "alive")
		return run.isCancelled
			? {
					word: "cancel-requested",
					detail: `pid ${run.pid} has not ended yet, ${output(run, false)}`,
				}
			: { word: "running", detail: `pid ${run.pid}, ${output(run, false)}` };
	return run.isCancelled
		? { word: "cancelled", detail: `ended on request, ${output(run, true)}` }
		: {
				word: "died",
				detail: `pid ${run.pid} is gone and left no exit status, which says nothing about its work: check the results, ${output(run, true)}`,
			};
}

function output({ outBytes, errBytes }: AsyncRun, isOver: boolean): string {
	const bytes = `out ${outBytes} bytes, err ${errBytes} bytes`;
	return isOver && outBytes + errBytes === 0
		? `${bytes}, NO-OUTPUT-CAPTURED`
		: bytes;
}
