/** What every verb of the table refuses, and how (contract 05 §2.2). */
import { describe, expect, test } from "bun:test";
import { NG_VERBS } from "../../monitor/ng-verbs.ts";
import { ngRig } from "./rig.ts";

/** Those that read their own arguments; a facade's target reads its own. */
const VERBS = NG_VERBS.filter((verb) => !verb.facade && !verb.group);
/** In a usage line a flag with a word behind it takes a value. */
const valueFlags = (args: string) =>
	[...args.matchAll(/(--[a-z][a-z-]*) (?=[^\s|[\]-])/g)].map(
		([, flag = ""]) => flag,
	);

async function refused(...argv: string[]) {
	const rig = ngRig();
	const before = rig.doors.files.paths("/");
	const ran = await rig.ng(...argv);
	expect(ran.out).toBe("");
	expect(rig.doors.proc.execs).toEqual([]);
	expect(rig.doors.files.paths("/")).toEqual(before);
	return ran;
}

describe.each(VERBS.map((verb) => [verb.name, verb.args]))(
	"ng %s",
	(name, args) => {
		// A number that leads is wanted first, with words of its own (§5.1).
		const words = [
			...name.split(" "),
			...(args.startsWith("<n>") ? ["1"] : []),
		];

		test("refuses a flag that it does not know, and does nothing", async () => {
			const { rc, err } = await refused(...words, "--wat");
			// `degraded` keeps 1 for a disk that is not well.
			expect(rc).toBe(words[0] === "degraded" ? 2 : 1);
			expect(err).toContain("unknown flag: --wat");
		});

		for (const flag of valueFlags(args))
			test(`refuses ${flag} without its value: exit 64, and does nothing`, async () => {
				const { rc, err } = await refused(...words, flag);
				expect(rc).toBe(64);
				expect(err).toContain(flag);
			});
	},
);

test("the usage lines tell of flags with values at all", () => {
	const all = VERBS.flatMap(({ args }) => valueFlags(args));
	expect(all.length).toBeGreaterThan(60);
	expect(
		valueFlags("<n> [--json [f]] [--repo o/n] (--at ts | --force)"),
	).toEqual(["--repo", "--at"]);
});
