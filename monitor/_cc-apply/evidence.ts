/** The proof of a candidate as a text that people read and the pin depends on (contract 06 §13.3). Pure. */

export interface Check {
	/** A sentence. */
	readonly name: string;
	readonly isGood: boolean;
	/** What was seen. */
	readonly detail: string;
}

const FRESH_SECONDS = 86_400;
const GREEN = "GATE GREEN";

/** No check is no proof. */
function isGreen(checks: readonly Check[]): boolean {
	return checks.length > 0 && checks.every(({ isGood }) => isGood);
}

/** The last line is what `safe` looks for; one failed check makes it red. */
export function renderEvidence(e: {
	readonly candidate: string;
	readonly installed: string;
	readonly iso: string;
	readonly checks: readonly Check[];
}): string {
	return [
		`# Claude Code ${e.candidate}, tried beside ${e.installed}`,
		"",
		`${e.iso}, the real program against a loopback model, in a tmux server of its own.`,
		"",
		...e.checks.flatMap(({ name, isGood, detail }) => [
			`- ${isGood ? "ok" : "FAILED"}: ${name}`,
			...detail.split("\n").map((line) => `      ${line}`.trimEnd()),
		]),
		"",
		`${isGreen(e.checks) ? GREEN : "GATE RED"} ${e.candidate}`,
		"",
	].join("\n");
}

/** Why this evidence does not let the candidate through; null: it does. `ageSeconds` null: its time is not known. */
export function evidenceFlaw(
	text: string | null,
	ageSeconds: number | null,
	candidate: string,
): string | null {
	if (text === null) return "the evidence cannot be read";
	if (ageSeconds === null || ageSeconds > FRESH_SECONDS)
		return "the evidence is older than a day";
	if (!text.includes(GREEN)) return `the evidence does not hold ${GREEN}`;
	const words = text.split(/[^0-9A-Za-z.+-]+/);
	return words.includes(candidate)
		? null
		: `the evidence does not name ${candidate}`;
}
