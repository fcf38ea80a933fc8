import { describe, expect, test } from "bun:test";
import { parseLoopArgs } from "../../monitor/_claude-loop/args.ts";
import {
	decideLoop,
	type LoopFacts,
} from "../../monitor/_claude-loop/decide.ts";
import { runLoop } from "../../monitor/_claude-loop/run.ts";
import { appendEvent } from "../../monitor/_state/action-log-append.ts";
import { loopStopPath } from "../../monitor/_state/loop-stop.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const S = "/s";

interface Loop {
	readonly doors: FakeDoors;
	/** argv of each run. */
	readonly runs: (readonly string[])[];
	/** Happens while claude runs for the n-th time. */
	during(n: number, happens: () => void): void;
	readonly ending: AbortController;
	run(...argv: string[]): Promise<{ rc: number; err: string }>;
}

function loop(): Loop {
	const doors = fakeDoors({ auto: true });
	doors.files.seed("/code/node_modules/.bin/claude", "", { mode: 0o755 });
	doors.files.seed("/p.md", "Do it.\n");
	const runs: (readonly string[])[] = [];
	const during = new Map<number, () => void>();
	doors.proc.foreground = async (argv) => {
		runs.push(argv.slice(1));
		during.get(runs.length)?.();
		return 0;
	};
	const ending = new AbortController();
	return {
		doors,
		runs,
		ending,
		during: (n, happens) => during.set(n, happens),
		run: async (...argv) => {
			const request = parseLoopArgs([
				"--window",
				"w",
				"--prompt-file",
				"/p.md",
				...argv,
			]);
			if (request.kind !== "loop") throw new Error(JSON.stringify(request));
			const err: string[] = [];
			const rc = await runLoop(request, {
				doors,
				codeRoot: "/code",
				stateDir: S,
				signal: ending.signal,
				retainTtlSeconds: 86_400,
				err: (line) => err.push(line),
			});
			return { rc, err: err.join("\n") };
		},
	};
}
function retain({ doors }: Loop, window = "w"): void {
	const extras = [
		["window", window],
		["reason", "r"],
	] as const;
	appendEvent(doors, S, { agent: "monitor", event: "window-retain", extras });
}

test("a window that is not retained gets one run: exit 10", async () => {
	const l = loop();
	retain(l, "other");
	expect((await l.run()).rc).toBe(10);
	expect(l.runs).toEqual([["--dangerously-skip-permissions", "Do it.\n"]]);
});

test("a retained one is continued up to the limit, with its model and settings: exit 11", async () => {
	const l = loop();
	retain(l);
	const { rc, err } = await l.run(
		"--max-restarts",
		"3",
		"--model",
		"m",
		"--settings",
		"/set",
	);
	expect(rc).toBe(11);
	const words = [
		"--dangerously-skip-permissions",
		"--settings",
		"/set",
		"--model",
		"m",
	];
	expect(l.runs).toEqual([
		[...words, "Do it.\n"],
		[...words, "--continue"],
		[...words, "--continue"],
		[...words, "--continue"],
	]);
	expect(err.split("\n").filter((l) => l.includes("restart "))).toHaveLength(3);
});

test("the pauses grow: 5, 10, 15 s", async () => {
	const l = loop();
	retain(l);
	const began = l.doors.clock.monoMs();
	await l.run("--max-restarts", "3");
	expect(l.doors.clock.monoMs() - began).toBe(30_000);
});

test("a flag at the start: no run, exit 0, and the flag is used up", async () => {
	const l = loop();
	const flag = loopStopPath(S, "w") ?? "";
	l.doors.files.seed(flag, "");
	expect(await l.run()).toEqual({ rc: 0, err: "" });
	expect(l.runs).toEqual([]);
	expect(l.doors.files.has(flag)).toBe(false);
});

test("a flag during the second run ends it there", async () => {
	const l = loop();
	retain(l);
	l.during(2, () => l.doors.files.seed(loopStopPath(S, "w") ?? "", ""));
	expect((await l.run()).rc).toBe(0);
	expect(l.runs).toHaveLength(2);
});

test("a signal ends it: after the run, or within a pause", async () => {
	const inRun = loop();
	retain(inRun);
	inRun.during(1, () => inRun.ending.abort());
	expect((await inRun.run()).rc).toBe(12);
	const inPause = loop();
	retain(inPause);
	inPause.doors.clock.after(2000, () => inPause.ending.abort());
	expect((await inPause.run()).rc).toBe(12);
	expect(inPause.runs).toHaveLength(1);
});

test("without claude exit 1, without its prompt exit 2", async () => {
	const l = loop();
	l.doors.files.remove("/code/node_modules/.bin/claude");
	expect((await l.run()).rc).toBe(1);
	const other = loop();
	other.doors.files.remove("/p.md");
	expect((await other.run()).rc).toBe(2);
});

describe("what comes after a run", () => {
	const NOW = 1_800_000_000;
	const FACTS: LoopFacts = {
		signalled: false,
		stopWished: false,
		retainedAt: NOW - 100,
		now: NOW,
		retainTtlSeconds: 100,
		restarts: 2,
		maxRestarts: 3,
		backoffBaseSeconds: 5,
	};
	test.each<readonly [string, Partial<LoopFacts>, number]>([
		[
			"a signal before anything else",
			{ signalled: true, stopWished: true },
			12,
		],
		["then the flag", { stopWished: true, retainedAt: null }, 0],
		["then the retain: none", { retainedAt: null, restarts: 9 }, 10],
		["too old", { retainedAt: NOW - 101 }, 10],
		["further ahead than it may be", { retainedAt: NOW + 101 }, 10],
		["then the limit", { restarts: 3 }, 11],
		["a limit of none", { restarts: 0, maxRestarts: 0 }, 11],
	])("%s", (_name, facts, rc) => {
		expect(decideLoop({ ...FACTS, ...facts })).toMatchObject({
			kind: "end",
			rc,
		});
	});
	test("else a restart after a pause", () => {
		expect(decideLoop(FACTS)).toEqual({ kind: "restart", afterSeconds: 15 });
		expect(decideLoop({ ...FACTS, retainedAt: NOW + 50 }).kind).toBe("restart");
	});
});

test.each([
	[[]],
	[["--window", "w"]],
	[["--window", "a b", "--prompt-file", "p"]],
	[["--window", "w", "--prompt-file", "p", "--max-restarts", "many"]],
	[["--window", "w", "--prompt-file", "p", "--bogus"]],
])("%j is no call", (argv) => {
	expect(parseLoopArgs(argv).kind).toBe("refused");
});
