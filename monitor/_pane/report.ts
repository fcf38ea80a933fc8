/** One pane's verdict with its line. Pure. */
import type { Verdict } from "./answer.ts";
import { classify } from "./classify.ts";
import { formatLine, type LineTarget, verdictFields } from "./line.ts";
import type { Witnesses } from "./witnesses.ts";

export interface PaneReport {
	readonly target: LineTarget;
	readonly witnesses: Witnesses;
	readonly verdict: Verdict;
	/** The output line of contract 03 §3. */
	readonly line: string;
}

/** The verdict and the line that is printed for it. */
export function judgePane(
	target: LineTarget,
	witnesses: Witnesses,
): PaneReport {
	const verdict = classify(witnesses);
	const fields = verdictFields(witnesses, verdict);
	const line = formatLine(target, verdict.answer.state, fields);
	return { target, witnesses, verdict, line };
}
