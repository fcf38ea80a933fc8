/** Which rules of the screen's reading matched (contract 03 §8), with the rows that made them. Pure. */
import type { ScreenFacts } from "./facts.ts";
import { textAt } from "./rows.ts";

export interface RuleRecord {
	/** Rung of the ladder; null for a rule of the screen's reading. */
	readonly rung: number | null;
	readonly rule: string;
	readonly evidence: string;
}
/** In the order of reading; `rung` is null, for these are no rungs of the ladder. */
export function screenRules(facts: ScreenFacts): readonly RuleRecord[] {
	const { rows } = facts.screen.grid;
	const rule = (name: string, row: number | null): RuleRecord => ({
		rung: null,
		rule: name,
		evidence: row === null ? "" : quote(textAt(rows, row)),
	});
	const { box } = facts.screen;
	const { activity, composer, limit, menu } = facts;
	const { counts } = activity;
	return [
		...facts.overlays.map((o) => rule(`dialog ${o.kind} by ${o.arm}`, o.row)),
		...(box ? [rule(`box ${composer?.input ?? "quoted"}`, box.row)] : []),
		...(menu ? [rule("completion menu", menu.row)] : []),
		...activity.turn.map((t) => rule(`live turn by ${t.sign}`, t.row)),
		...(activity.queue === null ? [] : [rule("queue", activity.queue)]),
		...(counts.row === null
			? []
			: [
					rule(
						`${counts.shells} shells, ${counts.monitors} monitors`,
						counts.row,
					),
				]),
		...(limit ? [rule("limit notice", limit.row)] : []),
		...(limit && limit.contradictedBy !== null
			? [rule("limit notice contradicted", limit.contradictedBy)]
			: []),
	];
}

const EVIDENCE_MAX = 200;

/** A row as evidence: no control characters, blanks squeezed, at most 200 characters. */
export function quote(text: string): string {
	const plain = text.replace(/[\x00-\x1f\x7f-\x9f\s]+/g, " ").trim();
	return [...plain].slice(0, EVIDENCE_MAX).join("");
}
