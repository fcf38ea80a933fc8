/** Is a turn running, does anything wait behind it, which handles are alive (contract 03 §8). */
import {
	isRule,
	isStillSpinner,
	type Phrase,
	phrases,
	textAt,
} from "./rows.ts";
import type { Screen } from "./screen.ts";
import {
	BANNER_COUNT,
	HANDLE_COUNT,
	INTERRUPT_HINT,
	INTERRUPT_SEGMENT,
	MODE_LINE,
	QUEUE_PLACEHOLDER,
	RETRYING,
	SPINNER,
	SPINNER_GLYPH,
	THROTTLED,
	TOKEN_COUNTER,
	TRANSCRIPT_START,
	WAITING,
} from "./screen-texts.ts";

export type TurnSign =
	| "spinner"
	| "waiting"
	| "counter"
	| "throttled"
	| "retrying"
	| "interrupt-hint";
export interface Turn {
	readonly sign: TurnSign;
	readonly row: number;
}
export interface HandleCounts {
	readonly monitors: number;
	readonly shells: number;
	/** Row that said so, null when nothing did. */
	readonly row: number | null;
}
export interface Activity {
	/** Every sign of a live turn; empty = none. */
	readonly turn: readonly Turn[];
	readonly throttled: boolean;
	readonly retrying: { readonly attempt: number; readonly of: number } | null;
	/** Row of the queue placeholder. */
	readonly queue: number | null;
	readonly counts: HandleCounts;
}

/** Only live rows count: what the transcript quotes starts with a glyph of its own. `row` is an index of the grid. */
export function activity(screen: Screen): Activity {
	const turn: Turn[] = [];
	let retrying: Activity["retrying"] = null;
	for (const row of screen.live) {
		// An answer may quote a spinner; its own rows start with a glyph of the transcript.
		const isStill = isStillSpinner(screen.grid.rows[row.from]);
		if (TRANSCRIPT_START.test(row.text) && !isStill) continue;
		if (isStill) turn.push({ sign: "spinner", row: row.from });
		for (const sign of signsOf(screen, row)) turn.push({ sign, row: row.from });
		const retry = RETRYING.exec(row.text);
		if (retry) retrying = { attempt: Number(retry[1]), of: Number(retry[2]) };
	}
	for (const segment of statusSegments(screen))
		if (INTERRUPT_SEGMENT.test(segment.text))
			turn.push({ sign: "interrupt-hint", row: segment.from });
	return {
		turn,
		throttled: turn.some((t) => t.sign === "throttled"),
		retrying,
		queue: findQueue(screen),
		counts: handleCounts(screen),
	};
}

function signsOf(screen: Screen, row: Phrase): readonly TurnSign[] {
	const signs: TurnSign[] = [];
	const first = textAt(screen.grid.rows, row.from);
	if (SPINNER.test(first) || (isTorn(first) && SPINNER.test(row.text)))
		signs.push("spinner");
	if (WAITING.test(row.text)) signs.push("waiting");
	if (TOKEN_COUNTER.test(row.text)) signs.push("counter");
	if (INTERRUPT_HINT.test(row.text) && THROTTLED.test(row.text))
		signs.push("throttled");
	if (RETRYING.test(row.text)) signs.push("retrying");
	return signs;
}

/** A spinner's verb that a narrow pane has wrapped; a finished turn's `for 3m` is none. */
function isTorn(first: string): boolean {
	return SPINNER_GLYPH.test(first) && !/ for \d|…/.test(first);
}

/** The placeholder stands where the box text stands; anywhere else it is a quotation. */
function findQueue(screen: Screen): number | null {
	const { rows, width } = screen.grid;
	const { box } = screen;
	if (box !== null && QUEUE_PLACEHOLDER.test(textAt(rows, box.row)))
		return box.row;
	const from = screen.dialogArea.from;
	const row = rows.findLastIndex(
		(r, i) =>
			i >= from &&
			QUEUE_PLACEHOLDER.test(r.text) &&
			(i === 0 || isRule(rows[i - 1], width)),
	);
	return row < 0 ? null : row;
}

/** The status rows cut at `·`, `,` and wide gaps. */
function statusSegments(screen: Screen): readonly Phrase[] {
	return phrases(screen.grid, screen.status).flatMap((row) =>
		row.text.split(/[·,]| {3,}/).map((text) => ({ ...row, text: text.trim() })),
	);
}

/**
 * The mode line counts what lives. An old banner keeps its words after the shell has ended, so it
 * is asked only where the mode line is hidden or cut.
 */
function handleCounts(screen: Screen): HandleCounts {
	const inStatus = statusSegments(screen).flatMap((segment) => {
		const match = HANDLE_COUNT.exec(segment.text);
		return match
			? [{ n: Number(match[1]), kind: match[2], row: segment.from }]
			: [];
	});
	if (inStatus.length > 0 || modeLineIsWhole(screen)) return sum(inStatus);
	const banner = screen.live.filter((row) => SPINNER_GLYPH.test(row.text));
	return sum(
		banner.flatMap((row) =>
			[...row.text.matchAll(BANNER_COUNT)].map((m) => ({
				n: Number(m[1]),
				kind: m[2]?.replace(/s$/, "") ?? m[3],
				row: row.from,
			})),
		),
	);
}

function modeLineIsWhole(screen: Screen): boolean {
	const status = phrases(screen.grid, screen.status);
	const mode = status.find((row) => MODE_LINE.test(row.text));
	return mode !== undefined && !/…|·$/.test(mode.text);
}

function sum(
	found: readonly {
		readonly n: number;
		readonly kind: string | undefined;
		readonly row: number;
	}[],
): HandleCounts {
	let monitors = 0;
	let shells = 0;
	for (const { n, kind } of found) {
		// A task that is no shell wakes the session itself, as a monitor does.
		if (kind === "monitor" || kind === "background task") monitors += n;
		else shells += n;
	}
	return { monitors, shells, row: found[0]?.row ?? null };
}
