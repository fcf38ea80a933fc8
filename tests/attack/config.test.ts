/** Whatever stands in `nexus.yml`: it is in force as its types say, or it is refused by name and place. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { examine } from "../../config/examine.ts";
import { readFileValue } from "../../config/leaf-values.ts";
import type { Leaf } from "../../config/leaves.ts";
import { issueLines, warningLine } from "../../config/report.ts";
import { resolveConfig } from "../../config/resolve.ts";
import { FILE_KEYS, isFileKey } from "../../config/schema.ts";
import { realConfig, rig } from "../config/rig.ts";
import { NASTY_WORDS, nastyText } from "./nasty.ts";

const KEYS = Object.keys(FILE_KEYS);
const SECTIONS = [
	...new Set(KEYS.flatMap((key) => key.split(".").slice(0, -1))),
];
const LEAVES = [...new Set(KEYS.map((key) => key.split(".").at(-1) ?? ""))];

const plain = fc.constantFrom(
	...["yes", "no", "on", "Off", "TRUE", "~", "null", ".inf", ".nan", "-.inf"],
	...[
		"0x1F",
		"0o17",
		"017",
		"1_000",
		"1e3",
		"1e400",
		"9".repeat(40),
		"-1",
		"1.5",
	],
	...[
		"2026-07-28",
		"2026-07-28T18:00:00Z",
		"12:30:45",
		"1:1",
		"=",
		"<<",
		"*a",
		"&a x",
	],
	...[
		"!!str 1",
		"!!int x",
		"!!binary aGk=",
		"!!set {a}",
		"!<tag:x> y",
		"! z",
		"| x",
	],
	...[
		"[1, 2",
		"{a: 1",
		"'open",
		'"open',
		"- x",
		"? x",
		"@x",
		"`x`",
		"%x",
		"#x",
		"a: b: c",
	],
	...[
		"60",
		"enter",
		"acme/hub",
		"true",
		"[]",
		"{}",
		'["rm (", ")"]',
		'["a+)+$"]',
		"",
	],
);
const value = fc.oneof(
	plain,
	nastyText.map((text) => JSON.stringify(text)),
	nastyText,
	fc.integer().map(String),
	fc.array(plain, { maxLength: 4 }).map((all) => `[${all.join(", ")}]`),
);
const name = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(...SECTIONS, ...LEAVES) },
	fc.constantFrom(
		...["__proto__", "constructor", "<<", "? ", "'a b'", "1", "null"],
	),
	nastyText.map((text) => JSON.stringify(text)),
);
const indent = fc.constantFrom("", "  ", "    ", "      ", "\t", "  \t");
const line = fc
	.tuple(indent, name, fc.constantFrom(":", ": &a", ": *a", ": !!map"), value)
	.map(([blank, key, colon, text]) => `${blank}${key}${colon} ${text}`);
/** Some of a good file, so that what is wrong is not only its first line. */
const fileText = fc
	.tuple(fc.boolean(), fc.array(fc.oneof(line, value), { maxLength: 14 }))
	.map(([good, lines]) => `${good ? realConfig() : ""}${lines.join("\n")}\n`);

/** A whole section of known keys with values of any kind: the tree is sound, its leaves are not. */
const treeText = fc
	.array(
		fc.tuple(
			fc.constantFrom(...KEYS),
			fc.oneof(plain, fc.integer().map(String)),
		),
		{
			maxLength: 12,
		},
	)
	.map((rows) => JSON.stringify(unfold(rows)));

function unfold(rows: readonly (readonly [string, string])[]): unknown {
	const tree = new Map<string, unknown>();
	for (const [key, text] of rows) {
		const steps = key.split(".");
		const leaf = steps.pop() ?? "";
		let at = tree;
		for (const step of steps) {
			const next = new Map<string, unknown>();
			const there = at.get(step);
			if (!(there instanceof Map)) at.set(step, next);
			at = there instanceof Map ? there : next;
		}
		at.set(leaf, jsonOr(text));
	}
	return plainOf(tree);
}
function plainOf(value: unknown): unknown {
	if (!(value instanceof Map)) return value;
	return Object.fromEntries(
		[...value].map(([key, one]) => [key, plainOf(one)]),
	);
}
function jsonOr(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** What is printed of it stays in its line and obeys no one. */
function expectClean(lines: readonly string[]): void {
	for (const shown of lines) expect(shown).not.toMatch(/[\0-\x1f\x7f-\x9f]/);
}

describe("a file of anything", () => {
	test("is a tree without issues, or has issues that say where", () => {
		fc.assert(
			fc.property(fc.oneof(fileText, treeText), (text) => {
				const { issues, warnings, tree, malformed } = examine(text);
				if (malformed) expect(tree).toBeNull();
				for (const issue of issues) {
					expect(issue.line).toBeGreaterThan(0);
					expect(issue.col).toBeGreaterThan(0);
				}
				expectClean(issueLines("n.yml", issues));
				expectClean(warnings.map((w) => warningLine("n.yml", w)));
			}),
			{ numRuns: 500 },
		);
	});

	test("that is accepted gives every key a value of its type, within its bounds", () => {
		let accepted = 0;
		fc.assert(
			fc.property(fc.oneof(fileText, treeText), (text) => {
				const { issues, tree } = examine(text);
				if (issues.length > 0) return;
				accepted += 1;
				const { config } = resolveConfig(tree, {}, { root: "/r", home: "/h" });
				for (const key of KEYS.filter(isFileKey)) {
					// An empty text takes a value away.
					if (config.source(key) !== "file" || config[key] === null) continue;
					const row: Leaf<unknown> = FILE_KEYS[key];
					expect([key, readFileValue(row, config[key]).kind]).toEqual([
						key,
						"ok",
					]);
				}
			}),
			{ numRuns: 500 },
		);
		expect(accepted).toBeGreaterThan(20);
	});

	test.each([
		["nested too deep", `a: ${"[".repeat(50_000)}${"]".repeat(50_000)}`],
		["mappings too deep", `${"{a: ".repeat(20_000)}1${"}".repeat(20_000)}`],
		[
			"aliases of aliases",
			`a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefghij"].map((c, i) => `${c}: &${c} [${Array(9).fill(`*${"abcdefghij"[i]}`).join(",")}]`).join("\n")}`,
		],
		["an alias of itself", "a: &a\n  b: *a"],
		["a merge of itself", "a: &a\n  <<: *a\n  b: 1"],
		["one very long line", `github: {repo: "${"x".repeat(500_000)}"}`],
		[
			"very many keys",
			Array.from({ length: 20_000 }, (_, i) => `k${i}: ${i}`).join("\n"),
		],
		[
			"very many anchors",
			Array.from({ length: 5000 }, (_, i) => `k${i}: &a${i} ${i}`).join("\n"),
		],
		["a merge of nothing in a key", "? {<<: yes}\n: 2"],
		["a mapping as a key", "[a, {b: c}]: 1\n{}: 2"],
		["brackets", "[".repeat(100_000)],
		["tabs", "\t".repeat(100_000)],
		["comment signs", "# \n".repeat(100_000)],
		["document marks", "---\n".repeat(20_000)],
		["a plain word that goes on", `a: ${"b ".repeat(100_000)}`],
	])("ends, though it is %s", (_what, text) => {
		const { issues, warnings } = examine(text);
		expectClean(issueLines("n.yml", issues));
		expectClean(warnings.map((w) => warningLine("n.yml", w)));
	});
});

test("whatever is asked of whatever file, the answer is one of the documented codes and nobody's stack", async () => {
	const word = fc.oneof(
		fc.constantFrom(
			...KEYS,
			...NASTY_WORDS,
			"--dump",
			"--effective",
			"--validate",
			"--check-identity",
		),
		nastyText,
	);
	await fc.assert(
		fc.asyncProperty(
			fileText,
			fc.array(word, { maxLength: 3 }),
			async (text, argv) => {
				const answer = await rig(text).load(argv);
				expect([0, 1, 2, 3, 4]).toContain(answer.code);
				expectClean(answer.err.flatMap((one) => one.split("\n")));
				expect(answer.err.join("\n")).not.toMatch(/^\s+at .*:\d+/m);
			},
		),
		{ numRuns: 400 },
	);
});
