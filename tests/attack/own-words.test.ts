/** Every program with its own verbs and flags, and nonsense where a value is expected: each call is understood as one of its usage or refused. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { asyncRun } from "../../monitor/_async-run/cli.ts";
import {
	CODE_ROOT,
	PROGRAMS,
	type ProgramName,
} from "../../monitor/_sys/names.ts";
import { SVC_VERBS } from "../../monitor/svc-verbs.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { BUN_DIR } from "../support/bun-dir.ts";
import { askChannel, type ChannelName, channelDoors } from "./channels.ts";
import { NASTY_WORDS } from "./nasty.ts";
import { PARSERS } from "./parsers.ts";

const STEERS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
const STACK = /^\s+at .*[:(]\d+/m;

/** Where a program's words are fuzzed. */
type Place =
	/** By a process of its own: whatever its usage names, with nonsense between. */
	| { readonly by: "words" }
	/** The same, but one word is always none of its: what it starts would outlive the test. */
	| { readonly by: "refusal" }
	/** It reads its words with this, which parsers.test.ts finds and fuzzes; what follows from them starts something. */
	| { readonly by: "parser"; readonly name: string }
	/** On fakes, here or in argv.test.ts. */
	| { readonly by: "fakes" }
	/** Serves until it is ended, and takes no words. */
	| { readonly by: "nobody" };

const words: Place = { by: "words" };
const refusal: Place = { by: "refusal" };
const fakes: Place = { by: "fakes" };
const parser = (name: string): Place => ({ by: "parser", name });

const PLACES: Readonly<Record<ProgramName, Place>> = {
	nexus: refusal,
	ng: fakes,
	svc: refusal,
	watcherMain: parser("parseWatcherArgs"),
	heartbeatTicker: parser("parseTickerArgs"),
	launcher: parser("parseLaunchArgs"),
	entry: refusal,
	bootstrap: parser("parseBootstrapArgs"),
	spawnFreshOrchestrator: refusal,
	verifyStack: refusal,
	revive: refusal,
	superviseTick: refusal,
	reportsRoll: words,
	bootstrapRecover: refusal,
	bootRecover: refusal,
	bootstrapInstall: refusal,
	demoModel: { by: "nobody" },
	sim: refusal,
	configLoad: words,
	tmuxWindow: words,
	paneState: words,
	pasteFollowup: words,
	mintToken: words,
	assertBotAuthor: words,
	requestChannel: fakes,
	skepticChannel: fakes,
	uploadAsset: words,
	userPat: words,
	writeProbe: words,
	spawnWorker: parser("parseSpawnArgs"),
	retirePreflight: words,
	contextUsage: words,
	claudeLoop: parser("parseLoopArgs"),
	workerHeartbeat: words,
	declareWait: words,
	declareNoWait: words,
	workerHealth: words,
	asyncRun: fakes,
	installClaude: refusal,
	notify: words,
	escCap: words,
	installKit: refusal,
	startWatcher: parser("parseArgs"),
	thrumShim: words,
	watchPaneCapture: words,
	captureFallback: words,
	captureArchive: words,
	jevFilter: words,
	rosterWatch: words,
	ccApply: parser("parseApplyArgs"),
};
const placed = (by: Place["by"]) =>
	Object.entries(PLACES).flatMap(([name, place]) =>
		place.by === by ? [PROGRAMS[name as ProgramName]] : [],
	);

/** No command line holds a NUL, and half a character none that is read again. */
const NASTY = NASTY_WORDS.filter((word) => !/[\0\ud800-\udfff]/.test(word));
/** None that asks for the usage, or is a word of ours. */
const FOREIGN = NASTY.filter((word) => !/^-|^[\s\w]*$/.test(word));

test("each program that reads its words with a parser has it fuzzed there", () => {
	const found = PARSERS.filter((p) => p.takes === "argv").map((p) => p.export);
	for (const place of Object.values(PLACES))
		if (place.by === "parser") expect(found).toContain(place.name);
});

/** Flags, and words that stand alone in a usage: verbs, and what a flag may be. */
function wordsOf(usage: string): readonly string[] {
	const found = usage.match(/--?[a-z][\w-]*|\b[a-z][a-z-]+\b/g) ?? [];
	return [...new Set(found)].filter((word) => !/^(?:-h|--help)$/.test(word));
}

describe("a program of its own process", () => {
	let dir: string;
	let cwd: string;
	beforeAll(() => {
		dir = mkdtempSync(join(tmpdir(), "own-words-"));
		// Deep enough that no `../..` leads out.
		cwd = join(dir, "a/b/c/d");
		for (const path of [cwd, join(dir, "root")])
			mkdirSync(path, { recursive: true });
	});
	afterAll(() => rmSync(dir, { recursive: true, force: true }));

	async function run(program: string, argv: readonly string[]) {
		const child = Bun.spawn([join(CODE_ROOT, program), ...argv], {
			cwd,
			env: {
				PATH: `${BUN_DIR}:/usr/bin:/bin`,
				HOME: dir,
				TMPDIR: dir,
				TMUX_TMPDIR: dir,
				NEXUS_ROOT: join(dir, "root"),
				NEXUS_STATE_DIR: join(dir, "root/state"),
			},
			stdin: "ignore",
			stdout: "pipe",
			stderr: "pipe",
			timeout: 20_000,
			killSignal: "SIGKILL",
		});
		const [out, err] = await Promise.all([
			child.stdout.text(),
			child.stderr.text(),
		]);
		return { rc: await child.exited, out, err };
	}
	async function vocabularyOf(program: string): Promise<readonly string[]> {
		const { out, err } = await run(program, ["--help"]);
		return wordsOf(out + err);
	}
	/** The same ones each time: what a process does with them must not depend on luck. */
	const samplesOf = (own: readonly string[], program: string) =>
		fc.sample(
			fc.array(
				fc.oneof(
					{ weight: 3, arbitrary: fc.constantFrom("1", ...own) },
					{ weight: 2, arbitrary: fc.constantFrom(...NASTY) },
				),
				{ minLength: 1, maxLength: 5 },
			),
			{ numRuns: 4, seed: program.length },
		);
	function expectHarmless(
		argv: readonly string[],
		{ rc, out, err }: { rc: number; out: string; err: string },
	): void {
		const said = JSON.stringify(
			[argv, rc, out, err].map((x) => String(x).slice(0, 400)),
		);
		expect(rc >= 0 && rc < 126, said).toBe(true);
		expect(STACK.test(err), said).toBe(false);
		expect(STEERS.test(err), said).toBe(false);
		expect(err.length, said).toBeLessThan(8000);
	}

	test.each(placed("words"))(
		"%s",
		async (program) => {
			const calls = samplesOf(await vocabularyOf(program), program);
			const ran = await Promise.all(calls.map((argv) => run(program, argv)));
			for (const [i, end] of ran.entries()) expectHarmless(calls[i] ?? [], end);
		},
		60_000,
	);

	test.each(placed("refusal"))(
		"%s refuses a word that is none of its, whatever stands around it",
		async (program) => {
			const own =
				program === PROGRAMS.svc
					? SVC_VERBS.map(({ name }) => name)
					: (await vocabularyOf(program)).filter((w) => w.startsWith("-"));
			const calls = fc.sample(
				fc
					.tuple(fc.constantFrom("", ...own), fc.constantFrom(...FOREIGN))
					.map((both) => both.filter((word) => word !== "")),
				{ numRuns: 4, seed: program.length },
			);
			const ran = await Promise.all(calls.map((argv) => run(program, argv)));
			for (const [i, end] of ran.entries()) {
				expectHarmless(calls[i] ?? [], end);
				expect([calls[i], end.rc]).not.toEqual([calls[i], 0]);
			}
			expect(readdirSync(join(dir, "root"))).toEqual([]);
		},
		60_000,
	);
});

/** `  file [--origin W] --slug S`: a verb of a usage, and what it takes. */
async function verbsOf(channel: ChannelName) {
	const { out } = await askChannel(channelDoors(), channel, "--help");
	const lines = out.split("\n").filter((line) => /^ {2}[a-z]/.test(line));
	return lines
		.flatMap((line) => line.split(/ \| (?=\w+(?: <|$))/))
		.map((line) => {
			const [verb = "", ...rest] = line.trim().split(" ");
			return { channel, verb, flags: rest.join(" ").match(/--[a-z-]+/g) ?? [] };
		});
}
const VERBS = [...(await verbsOf("request")), ...(await verbsOf("skeptic"))];

test("the verbs of both channels are found", () => {
	const named = VERBS.map(({ channel, verb }) => `${channel} ${verb}`);
	for (const one of ["file", "reqfile", "dir", "ack", "fail"])
		expect(named).toContain(`request ${one}`);
	for (const one of ["init", "ask", "await-answer", "reset", "reqfile"])
		expect(named).toContain(`skeptic ${one}`);
});

describe.each(VERBS)("$channel $verb", ({ channel, verb, flags }) => {
	test("with its own flags and anybody's words", async () => {
		const doors = channelDoors();
		doors.files.seed("/root/r.md", "Some words.\n");
		const ask = (...argv: readonly string[]) =>
			askChannel(doors, channel, ...argv);
		// Something to be asked about.
		await ask("init", "w1");
		await ask("ask", "w1", "why", "--text", "x");
		const filed = await ask("file", "--slug", "s", "--message", "x");
		const known = [filed.out.split("\n")[0] ?? "", "w1", "001", "1", "-"];
		const before = new Set(doors.files.paths("/"));
		const word = fc.oneof(
			fc.constantFrom(...flags, ...known, "/root/r.md"),
			fc.constantFrom("/root/gone.md", "x".repeat(70_000)),
			fc.constantFrom(...NASTY_WORDS),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(word, { maxLength: 7 }), async (argv) => {
				const { rc, out, err } = await ask(verb, ...argv);
				expect(Number.isInteger(rc) && rc >= 0 && rc < 126).toBe(true);
				expect(err).not.toMatch(STACK);
				// That time is up (4) is no failure, and says itself.
				if (rc !== 0 && rc !== 4) expect(err + out).not.toBe("");
			}),
			{ numRuns: 80 },
		);
		const made = doors.files.paths("/").filter((p) => !before.has(p));
		const outside = made.filter((p) => !/^\/(?:root|proc)\//.test(p));
		expect(outside).toEqual([]);
	});
});

test("async-run, whatever is asked of it", async () => {
	const flags = [
		...["--desc", "--cwd", "--allow-concurrent", "--status", "--status-line"],
		...["--disposition-line", "--dir", "--cancel", "--verdict-disposition"],
		...["--list", "--", "ar-0123456789ab", "w1", "make"],
	];
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom(...flags, ...NASTY_WORDS), { maxLength: 6 }),
			fc.constantFrom(null, "w1", "../etc", "a/b", ".."),
			async (argv, window) => {
				const doors = fakeDoors({ auto: true });
				doors.files.seedDir("/state");
				doors.files.seedDir("/work");
				const before = new Set(doors.files.paths("/"));
				const err: string[] = [];
				const rc = await asyncRun(argv, {
					doors,
					timer: doors.clock,
					stateDir: "/state",
					window,
					session: "s",
					runnerArgv: (dir) => ["bun", "async-run.ts", "--runner", dir],
					cwd: "/work",
					out: () => {},
					err: (line) => void err.push(line),
				});
				expect(Number.isInteger(rc) && rc >= 0 && rc < 126).toBe(true);
				expect(err.join("\n")).not.toMatch(STACK);
				const made = doors.files.paths("/").filter((p) => !before.has(p));
				const outside = made.filter((p) => !/^\/(?:state|proc)\//.test(p));
				expect(outside).toEqual([]);
			},
		),
		{ numRuns: 300 },
	);
});
