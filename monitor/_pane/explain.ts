/**
 * The record behind a verdict (contract 03 §9.3): every witness, every rule that matched with its
 * evidence, who won. Pure; the same record serves `--explain`, tests and bug reports.
 */
import { matchingRungs } from "./classify.ts";
import { type Conflict, conflictsOf } from "./conflicts.ts";
import { quote, type RuleRecord, screenRules } from "./explain-screen.ts";
import { type WitnessRecord, witnessRecords } from "./explain-witnesses.ts";
import type { PaneReport } from "./report.ts";
import { factsOf, type WitnessName } from "./witnesses.ts";

export interface Explanation {
	readonly v: 1;
	readonly target: {
		readonly session: string | null;
		readonly window: number | string;
		readonly name: string;
		readonly pane: string | null;
	};
	/** Epoch seconds. */
	readonly now: number;
	readonly line: string;
	readonly state: string;
	readonly winner: { readonly rung: number; readonly witness: WitnessName };
	/** `process`, `session`, `heartbeat`, `stamp`, `screen`, in this order. */
	readonly witnesses: readonly WitnessRecord[];
	readonly rules: readonly RuleRecord[];
	readonly conflicts: readonly Conflict[];
}

/** Version 1 of the record; `rules` end with every rung that matched, the winner first. */
export function explain(
	report: PaneReport,
	place: { readonly session: string | null; readonly pane: string | null },
): Explanation {
	const { witnesses: w, verdict, target, line } = report;
	const { state, witness } = verdict.answer;
	const facts = factsOf(w);
	return {
		v: 1,
		target: { ...place, window: target.window, name: target.name },
		now: w.now,
		line,
		state,
		winner: { rung: verdict.rung.n, witness },
		witnesses: witnessRecords(w),
		rules: [
			...(facts === null ? [] : screenRules(facts)),
			...matchingRungs(w).map(({ rung, answer }) => ({
				rung: rung.n,
				rule: rung.rule,
				evidence: quote(answer.why),
			})),
		],
		conflicts: conflictsOf(w, state),
	};
}

/** One line a witness, one a rule, `>` before the winner, last the output line. */
export function renderExplanation(e: Explanation): string {
	const mark = (isWinner: boolean) => (isWinner ? "> " : "  ");
	const witnesses = e.witnesses.map(
		(w) =>
			`${mark(w.name === e.winner.witness)}${w.name}: ${w.says ?? "says nothing"} (${w.why})`,
	);
	const rules = e.rules.map((r) => {
		const name = r.rung === null ? r.rule : `rung ${r.rung}: ${r.rule}`;
		return `${mark(r.rung === e.winner.rung)}${name}${r.evidence === "" ? "" : ` — ${r.evidence}`}`;
	});
	return [...witnesses, ...rules, e.line].join("\n");
}
