/** Looks after the held panes that are due, one after another (contract 04 §9.6). */
import type { PasteDeps } from "../../_delivery/paste-to-target.ts";
import { pasteWithRetry } from "../../_delivery/paste-with-retry.ts";
import { DELIVERIES } from "../../_delivery/sequences.ts";
import { withTempFile } from "../../_delivery/temp-file.ts";
import { appendMachineInput } from "../../_state/machine-input.ts";
import { readHeld } from "../../_state/over-limit-held.ts";
import { writeResumed } from "../../_state/over-limit-liveness.ts";
import { dropObserved } from "../../_state/over-limit-observed.ts";
import {
	type LimitRow,
	readLimitRows,
	updateLimitRows,
} from "../../_state/over-limit-state.ts";
import { raiseResetEvent } from "../../_state/ratelimit-reset-event.ts";
import { resolveActivePane } from "../../_sys/tmux-lookup.ts";
import { orchestratorBrief, workerBrief } from "./briefs.ts";
import {
	afterLook,
	backedOff,
	beforeLook,
	type LimitLook,
	unasked,
} from "./decide.ts";
import type { LimitSettings } from "./settings.ts";

export interface WakePlace {
	readonly settings: LimitSettings;
	/** The window that gets the reports, as it is called now. */
	readonly target: string;
	readonly signal: AbortSignal;
}

/** False: the rows could not be read. */
export async function wakeHeldPanes(
	hands: PasteDeps,
	place: WakePlace,
): Promise<boolean> {
	const { doors, stateDir } = hands;
	const read = readLimitRows(doors, stateDir);
	if (read.kind !== "ok") return false;
	for (const row of read.rows) {
		if (place.signal.aborted) break;
		await lookAfter(hands, place, row);
	}
	return true;
}

async function lookAfter(
	hands: PasteDeps,
	place: WakePlace,
	row: LimitRow,
): Promise<void> {
	const { settings } = place;
	const { clock } = hands.doors;
	const first = beforeLook(row, clock.now(), settings);
	if (first === "leave") return;
	if (first === "fail-open") return failOpen(hands, place, row, null);
	const { look, words } = await lookAtHeld(hands, place, row);
	const step = afterLook(row, look, clock.now(), settings);
	switch (step.kind) {
		case "leave":
			return;
		case "drop":
			return drop(hands, row, `seen as ${look}`);
		case "retry":
			return putOff(hands, row, step.row);
		case "fail-open":
			return failOpen(hands, place, row, words);
		case "resume":
			return resume(hands, place, row, { look, words });
	}
}

async function resume(
	hands: PasteDeps,
	place: WakePlace,
	row: LimitRow,
	seen: { readonly look: LimitLook; readonly words: string | null },
): Promise<void> {
	const { doors, stateDir } = hands;
	const rc = await tell(hands, place, row, seen.words, "stamp");
	const now = doors.clock.now();
	if (rc !== 0) return putOff(hands, row, backedOff(row, now, place.settings));
	const keep = place.settings.resumeSuppression;
	writeResumed(doors, stateDir, row.key, now, keep);
	drop(hands, row, `resumed (${seen.look})`);
	// Only a turn that runs proves it: a notice can scroll out of sight.
	if (seen.look === "busy")
		raiseResetEvent(
			doors.files,
			stateDir,
			now,
			`over-limit-resumed:${row.window}`,
		);
}

/** The paste is the probe; how it ends does not matter, unless nobody was asked. */
async function failOpen(
	hands: PasteDeps,
	place: WakePlace,
	row: LimitRow,
	words: string | null,
): Promise<void> {
	const rc = await tell(hands, place, row, words, "no-liveness-stamp");
	if (rc !== 0 && place.signal.aborted) return;
	// Asked again: the old notice, seen anew without its row, would count as tomorrow's.
	if (NOBODY_ASKED.has(rc)) {
		const now = hands.doors.clock.now();
		return putOff(hands, row, unasked(row, now, place.settings));
	}
	drop(hands, row, "held long enough, told to go on");
}

/** Exit codes of a paste that never came to its Enter: no tmux program was found (it is being upgraded), the machine did not let it (a full disk, tmux, a lock), or the box is not free (contract 04 §6.2). */
const NOBODY_ASKED: ReadonlySet<number> = new Set([1, 3, 7]);

/** The exit code of the paste; 0: it was delivered. */
async function tell(
	hands: PasteDeps,
	{ target, signal }: WakePlace,
	row: LimitRow,
	words: string | null,
	stamp: "stamp" | "no-liveness-stamp",
): Promise<number> {
	const { doors, stateDir } = hands;
	const { role, ledger } = DELIVERIES.S8;
	const isWorker = row.role === "worker";
	const window = isWorker ? row.window : target;
	const text = isWorker ? workerBrief(row, words) : briefFor(hands, row);
	const pasted = await withTempFile(doors.files, text, (file) => {
		if (isWorker) {
			const stamped = {
				window,
				stamp: doors.clock.now(),
				src: ledger,
				flag: "",
			};
			appendMachineInput(doors.files, stateDir, stamped);
		}
		const request = { window, file, stamp, role, signal };
		return pasteWithRetry(hands, request);
	});
	const end = pasted ?? { rc: 3, outcome: "no temporary file" };
	doors.log.info(`over-limit ${row.key}: brief rc=${end.rc} (${end.outcome})`);
	return end.rc;
}

function briefFor({ doors, stateDir }: PasteDeps, row: LimitRow): string {
	const read = readLimitRows(doors, stateDir);
	const rows = read.kind === "ok" ? read.rows : [];
	return orchestratorBrief({
		row,
		held: readHeld(doors.files, stateDir),
		workers: rows.filter((r) => r.role === "worker").map((r) => r.window),
		now: doors.clock.now(),
		iso: doors.clock.iso,
		stateDir,
	});
}

async function lookAtHeld(
	hands: PasteDeps,
	{ target, signal }: WakePlace,
	row: LimitRow,
): Promise<{ readonly look: LimitLook; readonly words: string | null }> {
	const window = row.role === "orchestrator" ? target : row.window;
	const rows = await hands.doors.tmux.panes(signal);
	const pane = resolveActivePane(rows, window);
	if (pane.kind === "absent") return { look: "window-absent", words: null };
	if (pane.kind !== "present") return { look: "window-unknown", words: null };
	const seen = await hands.lookAt(pane.value, signal);
	if (seen.kind === "gone") return { look: "absent", words: null };
	if (seen.kind !== "ok") return { look: "unreadable", words: null };
	return { look: seen.look.state, words: wordsOf(seen.look.line) };
}

/** `limit_text=` of the pane's line: the notice in its own words. */
function wordsOf(line: string): string | null {
	const text = /(?:^| )limit_text=(\S+)/.exec(line)?.[1];
	if (text === undefined) return null;
	try {
		return decodeURIComponent(text);
	} catch {
		return null;
	}
}

/** Who changed the row while we looked has the later word, say a proof that the limit is over. */
function putOff(
	{ doors, stateDir }: PasteDeps,
	seen: LimitRow,
	next: LimitRow,
): void {
	const { key, token, nextAttempt, attempts } = seen;
	updateLimitRows(doors, stateDir, (rows) =>
		rows.map((row) =>
			row.key === key &&
			row.token === token &&
			row.nextAttempt === nextAttempt &&
			row.attempts === attempts
				? next
				: row,
		),
	);
}

function drop(
	{ doors, stateDir }: PasteDeps,
	row: LimitRow,
	why: string,
): void {
	doors.log.info(`over-limit ${row.key}: hold ended, ${why}`);
	updateLimitRows(doors, stateDir, (rows) =>
		rows.filter((r) => r.key !== row.key),
	);
	dropObserved(doors, stateDir, row.key);
}
