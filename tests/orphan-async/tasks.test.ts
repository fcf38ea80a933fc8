/** The wake loop's two tasks over workers of a fake fleet (contract 08 §4.3). */
import { beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
	asyncRunDir,
	writeAsyncRunPid,
	writeAsyncRunStatus,
	writeNewAsyncRun,
} from "../../monitor/_state/async-run.ts";
import { parseOrphanRow } from "../../monitor/_state/orphan-async.ts";
import { pasteLockPath } from "../../monitor/_state/paste-lock.ts";
import { deliverBrief } from "../../monitor/watcher/_orphan_async/deliver-brief.ts";
import {
	orphanAsyncScanTask,
	orphanAsyncWakesTask,
} from "../../monitor/watcher/_orphan_async.ts";
import type { TaskSpec } from "../../monitor/watcher/context.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { HUNG } from "../fakes/tmux.ts";
import { FIXTURES } from "../pane/fixtures.ts";
import { STATE, watcherContext } from "../watcher/watcher-rig.ts";

const SCREENS = "claude-code/2.1.332-160x45";
const screen = (name: string) =>
	readFileSync(join(FIXTURES, SCREENS, `${name}.ansi`), "utf8");
const TOKEN = "ar-0123456789ab";
const RUN = { kind: "asyncrun", id: TOKEN };
const CI = { kind: "ci", id: "9" };

let doors: FakeDoors;
let logged: string[];
let briefs: { readonly window: string; readonly text: string }[];
let arrives: boolean;
beforeEach(() => {
	doors = fakeDoors({ auto: true, proc: { env: { HOME: "/home/op" } } });
	doors.files.seedDir(STATE);
	doors.files.seedDir("/tmp/scratch");
	logged = [];
	briefs = [];
	arrives = true;
	worker("w1");
});

/** A window with a live Claude Code that has nothing to do. */
function worker(name: string): void {
	const { pane } = doors.tmux.window(name);
	Object.assign(pane, { width: 160, height: 45, screen: screen("idle-fresh") });
	const startTicks = String((86_400 - 5000) * 100);
	const pid = pane.pid ?? 0;
	doors.proc.add({ pid, comm: "bash", exe: "/bin/bash", startTicks });
	const claude = { comm: "claude", exe: "/opt/claude", startTicks };
	doors.proc.add({ pid: pid + 50_000, ppid: pid, ...claude });
}

function declares(waits: readonly object[], window = "w1"): void {
	const now = doors.clock.now();
	const idle = { state: "idle_prompt", last_activity: now, last_turn_end: now };
	const beat = { ...idle, external_waits: waits, odd: 1 };
	doors.files.seed(`${STATE}/heartbeat/${window}.json`, JSON.stringify(beat));
}
const waitsLeft = (window = "w1") => {
	const read = doors.files.read(`${STATE}/heartbeat/${window}.json`);
	return JSON.parse(read.kind === "ok" ? read.text : "{}").external_waits;
};

/** An async run of w1; `ended` has its exit status. */
function asyncRun(state: "running" | "ended" | "died"): void {
	const dir = asyncRunDir(STATE, "w1", TOKEN);
	writeNewAsyncRun(doors.files, dir, {
		argv: ["make"],
		desc: "",
		cwd: "/",
		startedAt: 1,
		session: "s",
		window: "w1",
	});
	writeAsyncRunPid(doors.files, dir, 7777, "5");
	if (state === "running") doors.proc.add({ pid: 7777, startTicks: "5" });
	if (state === "ended") writeAsyncRunStatus(doors.files, dir, 0, 1);
}

async function tick(spec: TaskSpec, afterGap = false): Promise<number> {
	const { signal } = new AbortController();
	const log = (line: string) => void logged.push(line);
	const { rc } = await spec.make(watcherContext(doors))({
		signal,
		afterGap,
		log,
		doors,
	});
	return rc;
}
const scan = () => tick(orphanAsyncScanTask);
const wakes = (afterGap = false) =>
	tick(
		orphanAsyncWakesTask(async (_place, run, window, file) => {
			const read = run.doors.files.read(file);
			briefs.push({ window, text: read.kind === "ok" ? read.text : "" });
			return arrives;
		}),
		afterGap,
	);

function rows() {
	const read = doors.files.read(`${STATE}/orphan-async-state.tsv`);
	return read.kind === "ok"
		? read.text.trimEnd().split("\n").map(parseOrphanRow)
		: [];
}
/** A row that is due now. */
async function due(): Promise<void> {
	await scan();
	await doors.clock.advance(300_000);
}
const now = () => doors.clock.now();

test("a worker that waits is seen, and not woken before the grace is over", async () => {
	declares([CI]);
	expect(await scan()).toBe(0);
	expect(rows()).toMatchObject([
		{ window: "w1", waits: "ci:9", firstSeen: now(), nextAttempt: now() + 300 },
	]);
	await wakes();
	await doors.clock.advance(299_000);
	await wakes();
	expect(briefs).toEqual([]);
	await doors.clock.advance(1000);
	await wakes();
	expect(briefs).toHaveLength(1);
});

test("the house's own windows are no workers", async () => {
	for (const name of ["orchestrator", "services", "•bell"]) {
		worker(name);
		declares([CI], name);
	}
	await scan();
	expect(rows()).toEqual([]);
});

test("a scan that could not look changes nothing", async () => {
	declares([CI]);
	await scan();
	const before = rows();
	doors.tmux.fail("panes", HUNG);
	expect(await scan()).toBe(1);
	expect(rows()).toEqual(before);
});

test("work that is over: one brief, its wait taken off, the row gone", async () => {
	declares([RUN, CI]);
	asyncRun("ended");
	await due();
	await wakes();
	expect(briefs).toHaveLength(1);
	expect(briefs[0]!.text).toContain(`- asyncrun:${TOKEN}: terminal: `);
	expect(briefs[0]!.text).toContain("- ci:9: unresolvable: ");
	expect(briefs[0]!.text).toContain("idle for 5m");
	expect(rows()).toEqual([]);
	// What nobody can tell stays declared; what else the heartbeat holds stays as it is.
	expect(waitsLeft()).toEqual([CI]);
	const read = doors.files.read(`${STATE}/heartbeat/w1.json`);
	expect(read.kind === "ok" && JSON.parse(read.text).odd).toBe(1);
	const woken = doors.files.read(`${STATE}/orphan-async-woken/w1`);
	expect(woken).toEqual({ kind: "ok", text: `${now()}\n` });
});

test("machine input is stamped before the brief is pasted", async () => {
	declares([CI]);
	await due();
	let before: unknown;
	await tick(
		orphanAsyncWakesTask(async () => {
			before = doors.files.read(`${STATE}/machine-input.tsv`);
			return true;
		}),
	);
	expect(before).toEqual({
		kind: "ok",
		text: `w1\t${now()}\torphan-async-wake\n`,
	});
});

test("live work is never woken into, whatever else is over", async () => {
	declares([RUN, CI]);
	asyncRun("running");
	await due();
	await wakes();
	expect(briefs).toEqual([]);
	expect(rows()).toMatchObject([{ nextAttempt: now() + 120, attempts: 0 }]);
	expect(waitsLeft()).toEqual([RUN, CI]);
});

test("a run that died is told, and its wait stays", async () => {
	declares([RUN]);
	asyncRun("died");
	await due();
	await wakes();
	expect(briefs[0]!.text).toContain("may still be running");
	expect(waitsLeft()).toEqual([RUN]);
});

test("a brief that does not arrive is tried again, and clears nothing", async () => {
	declares([RUN]);
	asyncRun("ended");
	arrives = false;
	await due();
	await wakes();
	expect(rows()).toMatchObject([{ nextAttempt: now() + 120, attempts: 1 }]);
	expect(waitsLeft()).toEqual([RUN]);
	await doors.clock.advance(120_000);
	await wakes();
	expect(rows()).toMatchObject([{ attempts: 2 }]);
});

test("who was woken is left alone until the cooldown is over", async () => {
	declares([CI]);
	await due();
	await wakes();
	declares([CI]);
	await due();
	await wakes();
	expect(briefs).toHaveLength(1);
	expect(rows()).toMatchObject([{ nextAttempt: now() + 120 }]);
	await doors.clock.advance(1_500_000);
	declares([CI]);
	await wakes();
	expect(briefs).toHaveLength(2);
});

describe("the row goes without a brief", () => {
	test("when the pane is busy now", async () => {
		declares([CI]);
		await due();
		doors.tmux.byName("w1").pane.screen = screen("busy-streaming");
		const busy = { state: "busy", last_activity: now(), external_waits: [CI] };
		const path = `${STATE}/heartbeat/w1.json`;
		doors.files.seed(path, JSON.stringify(busy));
		await wakes();
		expect(briefs).toEqual([]);
		expect(rows()).toEqual([]);
	});
	test("when the worker took the wait back itself", async () => {
		declares([CI]);
		await due();
		declares([]);
		await wakes();
		expect([briefs, rows()]).toEqual([[], []]);
	});
	test("when it was held for a day", async () => {
		declares([RUN]);
		asyncRun("running");
		await scan();
		await doors.clock.advance(86_401_000);
		await wakes();
		expect(rows()).toEqual([]);
		expect(logged.join()).toContain("dropped");
	});
	test("with a line in the log of actions, when its window was closed and its work is over", async () => {
		declares([RUN]);
		asyncRun("ended");
		await due();
		worker("other");
		doors.tmux.model.closeWindow(doors.tmux.byName("w1"));
		await wakes();
		expect(rows()).toEqual([]);
		const read = doors.files.read(`${STATE}/action-log.jsonl`);
		expect(JSON.parse(read.kind === "ok" ? read.text : "")).toMatchObject({
			event: "window-close",
			window: "w1",
			reason: "pane-vanished-unlogged",
			source: "orphan-async",
		});
	});
});

describe("the row stays", () => {
	test("when heartbeat and screen contradict each other", async () => {
		declares([CI]);
		await due();
		doors.tmux.byName("w1").pane.screen = screen("busy-streaming");
		await wakes();
		expect(briefs).toEqual([]);
		expect(rows()).toMatchObject([{ nextAttempt: now() + 120 }]);
	});
	test("when its window was closed over work that nobody can tell", async () => {
		declares([CI]);
		await due();
		worker("other");
		doors.tmux.model.closeWindow(doors.tmux.byName("w1"));
		await wakes();
		expect(rows()).toMatchObject([{ nextAttempt: now() + 120 }]);
		expect(doors.files.read(`${STATE}/action-log.jsonl`).kind).toBe("absent");
	});
	test("when tmux does not answer", async () => {
		declares([CI]);
		await due();
		doors.tmux.fail("panes", HUNG);
		await wakes();
		expect(briefs).toEqual([]);
		expect(rows()).toHaveLength(1);
	});
	test("after a clock gap, unseen and unpasted", async () => {
		declares([CI]);
		await due();
		await wakes(true);
		expect(briefs).toEqual([]);
		expect(rows()).toMatchObject([{ nextAttempt: now() + 120 }]);
	});
});

test("a wake that cannot be written down is not made", async () => {
	declares([CI]);
	await due();
	const path = /orphan-async-state/;
	doors.files.faults.fail({ path, ops: ["write"], code: "ENOSPC" });
	await wakes();
	await wakes();
	expect(briefs).toEqual([]);
	expect(logged.join()).toContain("not woken");
});

test("an accounting that hangs takes a look or two of a run, and starves nobody", async () => {
	const windows = ["w1", "w2", "w3"];
	for (const name of windows.slice(1)) worker(name);
	windows.forEach((name, at) => {
		declares([{ kind: "slurm", id: String(at) }], name);
	});
	await due();
	const asked: (string | undefined)[] = [];
	doors.proc.answer(/^sacct/, (argv) => {
		asked.push(argv[2]);
		doors.clock.stall(5000);
		return { kind: "exited", rc: 0, stdout: "RUNNING\n", stderr: "" };
	});
	await wakes();
	expect(asked).toEqual(["0"]);
	await wakes();
	await doors.clock.advance(130_000);
	await wakes();
	expect(asked).toEqual(["0", "1", "2"]);
});

test("somebody else's paste is not waited for until the tick is over", async () => {
	const place = watcherContext(doors);
	const { signal } = new AbortController();
	const log = (line: string) => void logged.push(line);
	const path = pasteLockPath(STATE, "w1");
	doors.files.seedDir(dirname(path));
	expect(doors.locks.hold(path).kind).toBe("acquired");
	const before = doors.clock.monoMs();
	const run = { signal, afterGap: false, log, doors };
	expect(await deliverBrief(place, run, "w1", "/tmp/scratch/b.md")).toBe(false);
	expect(logged.join()).toContain("paste lock is held");
	expect(doors.clock.monoMs() - before).toBeLessThanOrEqual(2000);
});

test("one delivery a run: a second one could take longer than a tick may", async () => {
	worker("w2");
	declares([CI]);
	declares([CI], "w2");
	await due();
	await wakes();
	expect(briefs.map((brief) => brief.window)).toEqual(["w1"]);
	await wakes();
	expect(briefs.map((brief) => brief.window)).toEqual(["w1", "w2"]);
});

test("a wait that was declared while the brief was on its way is kept", async () => {
	declares([RUN]);
	asyncRun("ended");
	await due();
	await tick(
		orphanAsyncWakesTask(async () => {
			declares([RUN, CI]);
			return true;
		}),
	);
	expect(waitsLeft()).toEqual([CI]);
});

test("a row that a scan added while a brief was on its way is kept", async () => {
	declares([CI]);
	await due();
	await tick(
		orphanAsyncWakesTask(async () => {
			worker("w2");
			declares([CI], "w2");
			await scan();
			return true;
		}),
	);
	expect(rows().map((row) => row?.window)).toEqual(["w2"]);
});
