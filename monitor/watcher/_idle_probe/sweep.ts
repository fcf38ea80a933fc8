/** The one place that changes what is known of idle workers (contract 03 §12.3, §12.6). */
import { type IdleRow, renderStagedIdle } from "../../_emit/idle-rows.ts";
import {
	readIdleState,
	type ToldRow,
	writeIdleState,
} from "../../_state/idle-state.ts";
import {
	NO_MARK,
	readOperatorEngaged,
	writeOperatorEngaged,
} from "../../_state/operator-engaged.ts";
import type { Doors } from "../../_sys/doors.ts";
import { applySweep } from "./apply.ts";
import { shownName } from "./facts.ts";
import { type LookOptions, lookAtWorkers, type ProbePlace } from "./look.ts";
import { closeReminders, diffRows, learnRows } from "./transitions.ts";
import type { WorkerVerdict } from "./worker.ts";

export type IdleSweep =
	/** Rows that are news, in the form in which they are staged. */
	| {
			readonly kind: "ok";
			readonly staged: string;
			/** When the first of those that are too young for a row is old enough, epoch seconds; null: none is. */
			readonly dueAt: number | null;
	  }
	| { readonly kind: "failed"; readonly why: string };

/** Looks, remembers, and answers what is news. After the look nothing waits, so that a delivery beside it loses nothing. */
export async function sweepIdle(
	doors: Doors,
	place: ProbePlace,
	opts: LookOptions,
): Promise<IdleSweep> {
	const { stateDir } = place;
	const look = await lookAtWorkers(doors, place, opts);
	if (look.kind !== "ok") return look;
	if (opts.signal?.aborted) return { kind: "failed", why: "aborted" };
	const { workers, moment, settings } = look;
	applySweep(doors, stateDir, workers);
	const current = workers.flatMap((w) => w.row ?? []);
	const news = forgetOld(doors, stateDir, current, workers);
	const marks = new Map(workers.map((w) => [shownName(w.facts), w.next.mark]));
	const reminders = closeReminders(
		current,
		(window) => marks.get(window) ?? NO_MARK,
		moment.now,
		settings.reminderPeriod,
	);
	const young = workers
		.filter(({ age }) => age < settings.threshold)
		.map(({ next }) => next.engagedAt + settings.threshold);
	return {
		kind: "ok",
		staged: renderStagedIdle([...news, ...reminders]),
		dueAt: young.length === 0 ? null : Math.min(...young),
	};
}

/** A report that showed these rows was delivered, or repeats one that was. */
export function learnIdle(
	doors: Doors,
	stateDir: string,
	shown: readonly IdleRow[],
): void {
	const told = readIdleState(doors, stateDir);
	if (told.kind === "ok")
		writeIdleState(doors.files, stateDir, learnRows(told.rows, shown));
	const reminded = new Set(
		shown.flatMap((row) =>
			row.class === "engaged-close-reminder" ? [row.window] : [],
		),
	);
	const marks = readOperatorEngaged(doors, stateDir);
	if (reminded.size === 0 || marks.kind !== "ok") return;
	const now = doors.clock.now();
	writeOperatorEngaged(
		doors.files,
		stateDir,
		marks.rows.map((row) =>
			reminded.has(shownName(row)) ? { ...row, reminded: now } : row,
		),
	);
}

/** What of the current rows was not told yet. Forgets what is over; a memory that cannot be read tells all again. */
function forgetOld(
	doors: Doors,
	stateDir: string,
	current: readonly IdleRow[],
	workers: readonly WorkerVerdict[],
): readonly IdleRow[] {
	const told = readIdleState(doors, stateDir);
	if (told.kind !== "ok") return current;
	const byWindow = new Map(workers.map((w) => [shownName(w.facts), w]));
	const standing = told.rows.filter(
		({ window }) => !tookPrompt(byWindow.get(window)),
	);
	const { emit, keep } = diffRows(current, standing, (t) =>
		isCarried(t, byWindow.get(t.window)),
	);
	writeIdleState(doors.files, stateDir, keep);
	return emit;
}

/** It was given something to do since the last sweep: though none saw it at work, it stops anew. */
function tookPrompt(worker: WorkerVerdict | undefined): boolean {
	if (worker === undefined) return false;
	const { facts, next } = worker;
	return next.machineSubmitAt !== facts.machineSubmitAt;
}

/** A pause to think within one episode of the operator's is no news, nor is what a grace period leaves unsaid. */
function isCarried(told: ToldRow, worker: WorkerVerdict | undefined): boolean {
	if (worker === undefined || worker.row !== null) return false;
	return (
		worker.withheld || (told.class === "operator-engaged" && worker.marked)
	);
}
