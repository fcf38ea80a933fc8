/** Small drawn screens, each for one sentence of the rules of contract 03 §6 and §8: structure decides. */
import { expect, test } from "bun:test";
import { parseLine } from "../../monitor/_pane/line.ts";
import { judgeScreen } from "./fixtures.ts";

export const RULE = "─".repeat(60);
export const VIEW = "▔".repeat(60);
export const DIM = "\x1b[2m";
export const REVERSE = "\x1b[7m";
export const OFF = "\x1b[0m";
export const MODE = "  ⏵⏵ bypass permissions on (shift+tab to cycle)";
export const box = (content = "", status: readonly string[] = [MODE]) => [
	RULE,
	`❯\u00a0${content}`,
	RULE,
	...status,
];

type Keys = Readonly<Record<string, string | null>>;
export type Case = readonly [
	what: string,
	rows: readonly string[],
	state: string,
	keys?: Keys,
];

export function check(cases: readonly Case[]): void {
	test.each(cases.map((c) => [...c] as const))(
		"%s",
		(_, rows, state, keys = {}) => {
			const { line } = judgeScreen(rows.join("\n"));
			const reading = parseLine(line);
			expect(reading?.state ?? line).toBe(state as never);
			for (const [key, value] of Object.entries(keys))
				expect([key, reading?.get(key) ?? null]).toEqual([key, value]);
		},
	);
}
