import { describe, expect, test } from "bun:test";
import { dispatch, NG_HEADER, usageLine } from "../../monitor/_ng/dispatch.ts";
import { facade } from "../../monitor/_ng/facade.ts";
import type { NgVerbRow } from "../../monitor/_ng/verb.ts";
import { NG_VERBS } from "../../monitor/ng-verbs.ts";
import { fakeDoors } from "../fakes/doors.ts";

const TABLE: readonly NgVerbRow[] = [
	{
		name: "note",
		category: "Notes",
		args: "<text> [--tag <t>]",
		meaning: "write one",
		load: async () => ({ run: async (args) => args.length }),
	},
	{
		name: "roll",
		category: "Notes",
		args: "",
		meaning: "roll them",
		facade: true,
		load: async () => facade("reportsRoll"),
	},
];

async function ng(argv: readonly string[], table = TABLE) {
	const doors = fakeDoors();
	doors.proc.answer(/reports-roll/, 7);
	const out: string[] = [];
	const err: string[] = [];
	const rc = await dispatch(argv, table, {
		doors,
		codeRoot: "/code",
		out: (line) => out.push(line),
		err: (line) => err.push(line),
		errPlain: (line) => err.push(line),
		stdin: async () => "",
		pacing: { kind: "scheduler" },
	});
	return { rc, out, err, execs: doors.proc.execs.map((e) => e.argv) };
}

describe("the first word picks the verb", () => {
	test("and what follows is the verb's", async () => {
		expect(await ng(["note", "a", "b"])).toMatchObject({
			rc: 2,
			out: [],
			err: [],
		});
	});

	for (const word of ["help", "verbs", "-h", "--help"])
		test(`${word} prints the whole index, exit 0`, async () => {
			const { rc, out } = await ng([word]);
			expect(rc).toBe(0);
			expect(out[0]).toBe(NG_HEADER);
			expect(out).toContain("Notes:");
			for (const { name } of TABLE)
				expect(out.some((line) => line.startsWith(`  ${name} `))).toBe(true);
		});

	test("none: the header on standard error, exit 1", async () => {
		const { rc, out, err } = await ng([]);
		expect([rc, out.length]).toEqual([1, 0]);
		expect(`ng: ${err[0]}`).toBe(NG_HEADER);
	});

	test("an unknown one is quoted as an excerpt only, exit 1", async () => {
		const { rc, err } = await ng([`x${"y".repeat(100)}\nhttps://evil`]);
		expect(rc).toBe(1);
		expect(err).toEqual([
			`unknown subcommand: 'x${"y".repeat(71)}… (+1 more line(s))' (see ng --help)`,
		]);
	});
});

describe("help", () => {
	for (const argv of [
		["note", "--help"],
		["note", "-h"],
		["note", "text", "--help"],
		["note", "--tag", "t", "-h"],
	])
		test(`${argv.join(" ")}: the usage line, without running the verb`, async () => {
			expect(await ng(argv)).toMatchObject({
				rc: 0,
				out: ["usage: ng note <text> [--tag <t>]"],
			});
		});

	for (const argv of [
		["note", "--tag", "-h"],
		["note", "--", "--help"],
	])
		test(`${argv.join(" ")}: data, not a call for help`, async () => {
			expect((await ng(argv)).rc).toBe(2);
		});

	test("the usage line says which flags take a value, of every verb there is", async () => {
		for (const [words, isData] of [
			[["log-action", "v", "--note", "-h"], true],
			[["suppress-emit", "1", "--reason", "--help"], true],
			[["spawn-decision", "w", "--topic", "-h"], true],
			[["pr", "merge", "1", "--sha", "-h"], true],
			[["upload", "p", "--message", "--help"], true],
			[["pr", "merge", "1", "--squash", "-h"], false],
			[["pr", "view", "1", "--json", "-h"], false],
			[["wrap-up", "1", "r", "--no-comment", "--help"], false],
		] as const) {
			const { out } = await ng(words, NG_VERBS);
			const isAnswered = out[0]?.startsWith("usage: ng") ?? false;
			expect([words.join(" "), isAnswered]).toEqual([words.join(" "), !isData]);
		}
	});

	test("a facade passes it on, with every other argument, and its exit code back", async () => {
		const { rc, execs } = await ng(["roll", "--dry-run", "--help"]);
		expect(rc).toBe(7);
		expect(execs[0]?.slice(-3)).toEqual([
			"/code/monitor/reports-roll.ts",
			"--dry-run",
			"--help",
		]);
	});
});

test("every verb of the real table has a usage line and a module that loads", async () => {
	for (const verb of NG_VERBS) {
		expect(usageLine(verb)).toStartWith(`usage: ng ${verb.name}`);
		expect(typeof (await verb.load()).run).toBe("function");
	}
});
