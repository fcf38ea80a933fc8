/** Rows of `--- pending decisions ---` (contract 08 §5.4). Pure: files and panes were looked at by the task. */

import type { DecisionRecord } from "../_state/decisions.ts";
import type { DecisionStamp } from "../_state/decisions-emit.ts";
import { ageSeconds } from "../_sys/age.ts";
import { excerptOf, oneLine } from "./clean-text.ts";
import { paneLineActionable } from "./decision-gate.ts";
import { sectionLines } from "./sections.ts";

/** A record that is neither resolved nor silenced by a tombstone. */
export interface PendingDecision {
	readonly window: string;
	readonly fingerprint: string;
	readonly path: string;
	/** Null: it is there and could not be read. It is shown all the same. */
	readonly record: DecisionRecord | null;
}

export interface DecisionFacts {
	/** In the order of their names. */
	readonly pending: readonly PendingDecision[];
	readonly shown: readonly DecisionStamp[];
	/** Null: nobody could look. */
	readonly liveWindows: ReadonlySet<string> | null;
	/** Windows in which the operator or a skeptic works: their idle prompts are no news. */
	readonly engaged: ReadonlySet<string>;
	/** The pane's output line, null when there is none; absent = the gate is off. */
	readonly paneLine?: (window: string) => string | null;
	readonly now: number;
	readonly cooldownSeconds: number;
	readonly skipDeadWindows: boolean;
}

export interface DecisionPlan {
	readonly rows: readonly PendingDecision[];
	/** Stamps that are kept: it forgets here, it learns only in `commitDecisions`. */
	readonly keep: readonly DecisionStamp[];
}

/** `rows` are due now; `keep` are the stamps of questions that still wait, due or not. */
export function planDecisions(f: DecisionFacts): DecisionPlan {
	const wanted = f.pending.filter((d) => !isDead(d, f) && !isEngaged(d, f));
	return {
		rows: wanted.filter((d) => isDue(d, f) && paneAllows(d, f)),
		keep: f.shown.filter((s) => wanted.some((d) => sameDecision(d, s))),
	};
}

/** In the order given; the section's header is added elsewhere. */
export function renderDecisions(rows: readonly PendingDecision[]): string {
	return rows.map(renderRow).join("");
}

/** Window and fingerprint of the rows that a finished report carries. */
export function decisionsIn(
	body: string,
): readonly Pick<PendingDecision, "window" | "fingerprint">[] {
	return sectionLines(body, "decisions").flatMap((line) => {
		const [, window, fingerprint] =
			/^window=(.*) fp=(\S+) kind=/.exec(line) ?? [];
		return window !== undefined && fingerprint !== undefined
			? [{ window, fingerprint }]
			: [];
	});
}

/** The stamps after a report with these rows was delivered. */
export function commitDecisions(
	shown: readonly DecisionStamp[],
	rows: readonly Pick<PendingDecision, "window" | "fingerprint">[],
	now: number,
): readonly DecisionStamp[] {
	return [
		...shown.filter((s) => !rows.some((row) => sameDecision(row, s))),
		...rows.map(({ window, fingerprint }) => ({
			window,
			fingerprint,
			deliveredAt: now,
		})),
	];
}

/** A file of the decisions folder whose name says whose it is. */
export interface DecisionFileAge {
	readonly name: string;
	readonly window: string;
	readonly ageSeconds: number;
}

/** Files of windows that are gone: names are reused, and a predecessor's question must not surface under a new worker. */
export function planReap(
	files: readonly DecisionFileAge[],
	liveWindows: ReadonlySet<string> | null,
	minAgeSeconds: number,
): readonly string[] {
	if (liveWindows === null || liveWindows.size === 0) return [];
	return files
		.filter((f) => !liveWindows.has(f.window) && f.ageSeconds >= minAgeSeconds)
		.map((f) => f.name);
}

function isDead(d: PendingDecision, f: DecisionFacts): boolean {
	return (
		f.skipDeadWindows &&
		f.liveWindows !== null &&
		f.liveWindows.size > 0 &&
		!f.liveWindows.has(d.window)
	);
}

function isEngaged(d: PendingDecision, f: DecisionFacts): boolean {
	return d.record?.kind === "idle_prompt" && f.engaged.has(d.window);
}

function isDue(d: PendingDecision, f: DecisionFacts): boolean {
	const stamp = f.shown.find((s) => sameDecision(d, s));
	const age = ageSeconds(f.now, stamp?.deliveredAt, f.cooldownSeconds);
	return age === null || age >= f.cooldownSeconds;
}

function paneAllows(d: PendingDecision, f: DecisionFacts): boolean {
	return f.paneLine === undefined || paneLineActionable(f.paneLine(d.window));
}

function sameDecision(
	a: { readonly window: string; readonly fingerprint: string },
	b: { readonly window: string; readonly fingerprint: string },
): boolean {
	return a.window === b.window && a.fingerprint === b.fingerprint;
}

function renderRow({
	window,
	fingerprint,
	path,
	record,
}: PendingDecision): string {
	const kind = oneLine(record?.kind ?? "", 64).replaceAll(" ", "_");
	const excerpt =
		record === null
			? "(the record could not be read)"
			: excerptOf(record.promptExcerpt);
	return [
		`window=${window} fp=${fingerprint} kind=${kind || "unknown"} unresolved=${record?.unresolved ?? false}`,
		`    prompt-excerpt=${excerpt}`,
		`    file=${oneLine(path, 4096)}`,
		`    ack=ng decision-ack ${window} ${fingerprint}`,
	]
		.map((line) => `${line}\n`)
		.join("");
}
