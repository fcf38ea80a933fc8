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
	["", 5, "-n <window> is missing"],
	["-n w -c /d", 5, "-p <prompt-file> is missing"],
	["-n w -p p", 5, "-c <workdir> is missing"],
	["-c /d -p p", 5, "-n <window> is missing"],
	["-n w -c /d -p", 5, "--prompt-file needs a value"],
	[`${FRESH} extra`, 5, "extra"],
	[`${FRESH} -x`, 5, "-x"],
	[`${FRESH} --kind other`, 5, "--kind is task or interactive"],
	[`${FRESH} --skeptic maybe`, 5, "--skeptic is require, auto or deny"],
	[`${FRESH} --skeptic-depth two`, 5, "--skeptic-depth needs a whole number"],
	[`${FRESH} --skeptic-depth -1`, 5, "--skeptic-depth needs a whole number"],
	[`${FRESH} --skeptic-role`, 5, "--skeptic-role needs --skeptic-target"],
	[`${FRESH} --skeptic-target t`, 5, "go with --skeptic-role"],
	[`${FRESH} --skeptic-orig o`, 5, "go with --skeptic-role"],
	[`${FRESH} --replace`, 5, "--replace goes with --resume"],
	["--resume", 5, "--resume needs a value"],
	["--resume=", 5, "--resume needs a value"],
	[`--resume ${ID}`, 5, "a session id needs -n <window>"],
	["--resume w -p p.md", 5, "--prompt-file does not go with --resume"],
	["--resume w --nudge --no-nudge", 5, "choose one of --nudge and"],
	[`${FRESH} --dry-run`, 22, "--dry-run goes with --resume"],
	[`${FRESH} --bogus`, 23, "--bogus"],
	[`${FRESH} --dryrun`, 23, "--dryrun"],
	["--resume w --dry-rum", 23, "--dry-rum"],
] as const)("%p is refused with exit %i: %s", (line, rc, says) => {
	expect(argsOf(line)).toMatchObject({
		kind: "refused",
		rc,
		message: expect.stringContaining(says),
	});
});

test("help is asked for, not spawned", () => {
	expect(argsOf("--help")).toEqual({ kind: "help" });
	expect(argsOf(`${FRESH} -h`)).toEqual({ kind: "help" });
});
