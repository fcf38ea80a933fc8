import { describe, expect, test } from "bun:test";
import { argsOf } from "./rig.ts";

const ID = "0a1b2c3d-0000-4000-8000-00000000abcd";
const FRESH = "-n w -c /d -p p.md";

describe("a fresh spawn", () => {
	test("has the defaults of the contract", () => {
		expect(argsOf(FRESH)).toEqual({
			kind: "fresh",
			window: "w",
			workdir: "/d",
			promptFile: "p.md",
			priorReport: null,
			workerKind: "task",
			topic: null,
			model: null,
			skeptic: { mode: "auto", depth: 0, role: false, target: "", orig: "" },
			printPrompt: false,
		});
	});

	test.each([
		["--kind interactive", { workerKind: "interactive" }],
		["--kind=interactive", { workerKind: "interactive" }],
		[
			"-r old.md --topic T --model=m",
			{ priorReport: "old.md", topic: "T", model: "m" },
		],
		["--print-prompt", { printPrompt: true }],
		[
			"--skeptic require --skeptic-depth 2",
			{
				skeptic: {
					mode: "require",
					depth: 2,
					role: false,
					target: "",
					orig: "",
				},
			},
		],
		[
			"--skeptic-role --skeptic-target t",
			{
				skeptic: { mode: "auto", depth: 0, role: true, target: "t", orig: "t" },
			},
		],
		[
			"--skeptic-role --skeptic-target t --skeptic-orig o",
			{ skeptic: { role: true, target: "t", orig: "o" } },
		],
	] as const)("reads %s", (more, expected) => {
		expect(argsOf(`${FRESH} ${more}`)).toMatchObject(expected);
	});
});

describe("a resume", () => {
	test.each([
		[
			"--resume w",
			{
				target: "w",
				model: null,
				window: null,
				nudge: "auto",
				dryRun: false,
				replace: false,
			},
		],
		["--resume=w --nudge --replace", { nudge: "on", replace: true }],
		["--resume w --no-nudge --dry-run", { nudge: "off", dryRun: true }],
		["--resume w --model m", { model: "m" }],
		[`--resume ${ID} -n x -c /d`, { target: ID, window: "x", workdir: "/d" }],
	] as const)("reads %s", (line, expected) => {
		expect(argsOf(line)).toMatchObject({ kind: "resume", ...expected });
	});
});

test.each([
	["", 5],
	["-n w -c /d", 5],
	["-n w -p p", 5],
	["-c /d -p p", 5],
	["-n w -c /d -p", 5],
	[`${FRESH} extra`, 5],
	[`${FRESH} -x`, 5],
	[`${FRESH} --kind other`, 5],
	[`${FRESH} --skeptic maybe`, 5],
	[`${FRESH} --skeptic-depth two`, 5],
	[`${FRESH} --skeptic-depth -1`, 5],
	[`${FRESH} --skeptic-role`, 5],
	[`${FRESH} --skeptic-target t`, 5],
	[`${FRESH} --replace`, 5],
	["--resume", 5],
	["--resume=", 5],
	[`--resume ${ID}`, 5],
	["--resume w -p p.md", 5],
	["--resume w --nudge --no-nudge", 5],
	[`${FRESH} --dry-run`, 22],
	[`${FRESH} --bogus`, 23],
	[`${FRESH} --dryrun`, 23],
	["--resume w --dry-rum", 23],
])("%p is refused with exit %i", (line, rc) => {
	expect(argsOf(line)).toMatchObject({ kind: "refused", rc });
});

test("help is asked for, not spawned", () => {
	expect(argsOf("--help")).toEqual({ kind: "help" });
	expect(argsOf(`${FRESH} -h`)).toEqual({ kind: "help" });
});
