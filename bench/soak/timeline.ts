/** What happened in a soak, in order: what was done to the fleet, and what the orchestrator was told. Pure. */
import type { Ledger } from "./ledger.ts";
import type { Told } from "./told.ts";

/** Of a report, the lines that name something a soak accounts for. */
const NAMES = /^(?: {2}- w\d|-w\d|\+.*\.md$|window=|request=)| id=\d+ author=/;
const LINE_CHARS = 120;

/** A line an event, seconds since the first; what is told of takes a line each. */
export function timeline(
	{ asked, kills, refusals, permissions, drafts }: Ledger,
	told: readonly Told[],
): readonly string[] {
	const events: readonly (readonly [number, string])[] = [
		...asked.map(
			({ at, id, fate, window }) =>
				[
					at,
					`asked ${id}: ${fate} of ${window ?? "the orchestrator"}`,
				] as const,
		),
		...kills.map(
			({ at, what, window = "" }) => [at, `killed ${what} ${window}`] as const,
		),
		...kills.flatMap(({ backAt, what, window = "" }) =>
			backAt === null ? [] : [[backAt, `back: ${what} ${window}`] as const],
		),
		...refusals.map(({ at, window }) => [at, `refused ${window}`] as const),
		...permissions.map(({ at, window }) => [at, `asked by ${window}`] as const),
		...told.map(({ at, text }) => [at, `told:${namesOf(text)}`] as const),
	];
	const sorted = [...events].sort(([a], [b]) => a - b);
	const began = sorted[0]?.[0] ?? 0;
	return [
		...sorted.map(
			([at, what]) => `${((at - began) / 1000).toFixed(1).padStart(7)} ${what}`,
		),
		...drafts.map(({ text, end }) => `        ${text}: ${end}`),
	];
}

function namesOf(report: string): string {
	return report
		.split("\n")
		.filter((line) => NAMES.test(line))
		.map((line) => `\n          ${line.slice(0, LINE_CHARS)}`)
		.join("");
}
