import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DERIVED } from "../../config/derived.ts";
import type { Leaf } from "../../config/leaves.ts";
import { BUILT_IN_VETOES } from "../../config/schema/unstick.ts";
import { CONFIG_KEYS, isFileKey, SECTIONS } from "../../config/schema.ts";

const promised = readFileSync(join(import.meta.dir, "key-table.txt"), "utf8")
	.split("\n")
	.filter((line) => line !== "" && !line.startsWith("#"))
	.map((line) => {
		const [key = "", type = "", byDefault = "", env = ""] = line
			.split("|")
			.map((cell) => cell.trim());
		return [key, type, byDefault, env] as const;
	});
const rows: Readonly<Record<string, Leaf<unknown>>> = CONFIG_KEYS;

test("the schema has the promised keys and no other", () => {
	expect(Object.keys(rows).sort()).toEqual(promised.map(([key]) => key).sort());
});

test.each(promised)("%s is %s, by default %s", (key, type, byDefault, env) => {
	const row = rows[key]!;
	expect(typeWords(row)).toBe(type);
	expect(defaultWords(key, row)).toBe(byDefault);
	if (isFileKey(key)) expect(envWords(row)).toBe(env);
});

test("every row that speaks of a derived default has a rule, and the reverse", () => {
	const derived = Object.keys(rows).filter((key) => rows[key]!.derived);
	expect(Object.keys(DERIVED).sort()).toEqual(derived.sort());
});

test("every row says what it means in a sentence", () => {
	for (const [key, { doc }] of Object.entries(rows))
		expect(`${key}: ${doc}`).toMatch(/: \S.*[.]$/);
});

test("the sections of the reference page hold every key once", () => {
	const listed = SECTIONS.flatMap((section) => Object.keys(section.rows));
	expect(listed.toSorted()).toEqual(Object.keys(rows).sort());
});

function typeWords(row: Leaf<unknown>): string {
	const short: Record<string, string> = {
		seconds: "s",
		integer: "n",
		bytes: "B",
		boolean: "bool",
		string: "str",
	};
	const words = [short[row.type] ?? row.type];
	if (row.choices) words.push(...row.choices);
	if (row.absolute) words.push("absolute");
	if (row.max !== undefined) words.push(`${row.min}-${row.max}`);
	else if (row.min) words[0] += `>=${row.min}`;
	if (row.zeroDisables) words.push("0x");
	return words.join(" ");
}

function defaultWords(key: string, row: Leaf<unknown>): string {
	const special: Record<string, string> = {
		"nexus.root": "required",
		"github.asset_repo": "= github.repo",
		"github.bot_git_name": row.derived ?? "",
		"github.bot_git_email": row.derived ?? "",
		"monitor.mentions.reemit_backoff_seconds": "= emit_cooldown",
		"monitor.orchestrator_stale_seconds": "5 × interval",
		"monitor.fleet.runtimes.<rt>.command": "per runtime",
		MONITOR_REQUESTS_REPLIED_RETENTION_SECONDS: "= retention",
	};
	const words = special[key];
	if (words !== undefined) return words;
	if (row.default === BUILT_IN_VETOES)
		return "the five built-ins of the unstick contract, case A";
	if (row.required) return "required";
	if (row.default === null) return "unset";
	if (Array.isArray(row.default)) return row.default.join(" ");
	return row.default === "" ? "empty" : String(row.default);
}

function envWords(row: Leaf<unknown>): string {
	const recover = row.recoverEnv ? [`recover:${row.recoverEnv}`] : [];
	return [...row.env, ...recover].join(" ");
}
