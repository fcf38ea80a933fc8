/** Whatever stands on a command line: a documented exit code, a message that is one, and nobody's stack. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { CODE_ROOT, PROGRAMS } from "../../monitor/_sys/names.ts";
import { NG_VERBS } from "../../monitor/ng-verbs.ts";
import { enforce } from "../arch/law.ts";
import { product } from "../arch/sources.ts";
import { OPERATOR, REPO } from "../github/rig.ts";
import { CWD, hubRig } from "../ng/hub-rig.ts";
import { ngRig } from "../ng/rig.ts";
import { BUN_DIR } from "../support/bun-dir.ts";
import { NASTY_WORDS } from "./nasty.ts";

/** Control characters that would steer the terminal of whoever reads the message. */
const STEERS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
const STACK = /^\s+at .*[:(]\d+/m;

const flags = (args: string) => args.match(/--?[a-z][a-z-]*/g) ?? [];
const wordsFor = (args: string) =>
	fc.array(
		fc.oneof(
			fc.constantFrom(
				...flags(args),
				"--help",
				"1",
				"99999999999999999999",
				"w1",
			),
			fc.constantFrom(...NASTY_WORDS),
			fc.constantFrom(
				`${CWD}/r.md`,
				"/n/reports",
				"x".repeat(70_000),
				"acme/hub#1",
				"--=",
				"---",
			),
			fc.string({ unit: "binary", maxLength: 12 }),
		),
		{ maxLength: 5 },
	);

describe.each(NG_VERBS.map((verb) => [verb.name, verb.args] as const))(
	"ng %s",
	(name, args) => {
		test("without a configuration", async () => {
			const rig = ngRig();
			const before = new Set(rig.doors.files.paths("/"));
			await fc.assert(
				fc.asyncProperty(wordsFor(args), async (words) => {
					const { rc, out, err } = await rig.ng(...name.split(" "), ...words);
					expect(Number.isInteger(rc) && rc >= 0 && rc < 126).toBe(true);
					expect(err).not.toMatch(STEERS);
					expect(err).not.toMatch(STACK);
					if (rc !== 0) expect(err === "" && out === "").toBe(false);
				}),
				{ numRuns: 40 },
			);
			// A folder of the caller's own may be named; the checkout and the system's are no place to write.
			const made = rig.doors.files.paths("/").filter((p) => !before.has(p));
			expect(made.filter((p) => /^\/(?:etc|code|proc)\b/.test(p))).toEqual([]);
		});
	},
);

test("ng, with GitHub there, ends each call with a code and a harmless message", async () => {
	const rig = hubRig();
	rig.standIn.acts.openIssue(REPO, { user: OPERATOR, title: "T", body: "B" });
	rig.standIn.acts.commitFile(REPO, "README.md", "hi");
	rig.doors.files.seed(`${CWD}/r.md`, "# A report\n\nDone.\n");
	const call = fc
		.constantFrom(...NG_VERBS)
		.chain((verb) =>
			wordsFor(verb.args).map((words) => [...verb.name.split(" "), ...words]),
		);
	await fc.assert(
		fc.asyncProperty(call, async (words) => {
			const { rc, err } = await rig.ng(...words);
			expect(Number.isInteger(rc) && rc >= 0 && rc < 126).toBe(true);
			expect(err).not.toMatch(STEERS);
			expect(err).not.toMatch(STACK);
		}),
		{ numRuns: 150 },
	);
	// What was sent, GitHub's own schemas could read.
	expect(rig.standIn.problems).toEqual([]);
	await rig.close();
}, 30_000);

enforce({
	law: "what a program says on standard error goes through complain",
	why: "it quotes what it was given, and an escape sequence in that would steer the caller's terminal",
	files: product,
	forbidden: /process\.stderr\.write\(|console\.(?:error|warn)\b/,
	except: {
		"monitor/_sys/stderr.ts": "is the one that cleans it",
		"monitor/_sys/hook-doors.ts":
			"Claude Code reads it, no terminal; a hook loads little",
	},
	breaks: ["process.stderr.write(line)", "err: console.error,"],
	allows: ["complain(line)"],
});

describe("a program of its own process", () => {
	let dir: string;
	beforeAll(() => {
		dir = mkdtempSync(join(tmpdir(), "attack-"));
		mkdirSync(join(dir, "root"));
	});
	afterAll(() => rmSync(dir, { recursive: true, force: true }));

	const CALLS: readonly (readonly string[])[] = [
		["--no-such-flag", "x"],
		["", "a\nb", "\x1b[2J"],
		[";", "$(touch gone)", "--", "-"],
		["--help=1", "x".repeat(20_000)],
	];
	/** Serves until it is ended; it takes no words. */
	const GOES_ON: readonly string[] = [PROGRAMS.demoModel];

	async function run(program: string, words: readonly string[]) {
		const child = Bun.spawn([join(CODE_ROOT, program), ...words], {
			cwd: dir,
			env: {
				PATH: `${BUN_DIR}:/usr/bin:/bin`,
				HOME: dir,
				TMUX_TMPDIR: dir,
				NEXUS_ROOT: join(dir, "root"),
				NEXUS_STATE_DIR: join(dir, "state"),
			},
			stdin: "ignore",
			stdout: "pipe",
			stderr: "pipe",
			timeout: 8000,
			killSignal: "SIGKILL",
		});
		const [out, err] = await Promise.all([
			child.stdout.text(),
			child.stderr.text(),
		]);
		return { rc: await child.exited, out, err };
	}

	test.each(
		Object.values(PROGRAMS).filter((p) => existsSync(join(CODE_ROOT, p))),
	)(
		"%s",
		async (program) => {
			if (GOES_ON.includes(program)) return;
			const ran = await Promise.all(CALLS.map((words) => run(program, words)));
			for (const [i, { rc, out, err }] of ran.entries()) {
				const said = JSON.stringify(
					[CALLS[i], rc, out, err].map((x) => String(x).slice(0, 400)),
				);
				expect(rc < 126 && rc >= 0, said).toBe(true);
				expect(STACK.test(err), said).toBe(false);
				expect(STEERS.test(err), said).toBe(false);
				expect(err.length, said).toBeLessThan(8000);
			}
			expect(readdirSync(dir)).not.toContain("gone");
		},
		20_000,
	);
});
