/** A doctor's finding as a value, and how it prints. */

export type CheckVerdict = "ok" | "warn" | "fail";

export interface Check {
	readonly name: string;
	readonly verdict: CheckVerdict;
	readonly finding: string;
	/** What to do about it; null when there is nothing to do. */
	readonly advice: string | null;
}

/** Needs no advice. */
export function ok(name: string, finding: string): Check {
	return { name, verdict: "ok", finding, advice: null };
}

/** Works, but not as well as it could; `advice` is what to do. */
export function warn(name: string, finding: string, advice: string): Check {
	return { name, verdict: "warn", finding, advice };
}

/** Something will not work; `advice` is what to do. */
export function fail(name: string, finding: string, advice: string): Check {
	return { name, verdict: "fail", finding, advice };
}

/** One line a finding, one more for the advice; the last line counts. */
export function renderChecks(checks: readonly Check[]): readonly string[] {
	const width = Math.max(...checks.map((c) => c.name.length));
	const indent = " ".repeat(width + 8);
	const count = (verdict: CheckVerdict) =>
		checks.filter((c) => c.verdict === verdict).length;
	return [
		...checks.flatMap(({ name, verdict, finding, advice }) => [
			`${verdict.padEnd(4)}  ${name.padEnd(width)}  ${finding}`,
			...(advice === null ? [] : [`${indent}-> ${advice}`]),
		]),
		`${count("ok")} ok, ${many(count("warn"), "warning")}, ${many(count("fail"), "failure")}`,
	];
}

function many(n: number, word: string): string {
	return `${n} ${word}${n === 1 ? "" : "s"}`;
}

/** Exit code: 1 when something must be mended before the watcher can be trusted. */
export function exitCodeOf(checks: readonly Check[]): number {
	return checks.some((c) => c.verdict === "fail") ? 1 : 0;
}
