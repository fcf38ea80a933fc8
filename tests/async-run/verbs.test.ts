/** async-run on fake doors (contract 08 §4.2). */
import { beforeEach, describe, expect, test } from "bun:test";
import { asyncRun } from "../../monitor/_async-run/cli.ts";
import { runAsyncRun } from "../../monitor/_async-run/runner.ts";
import {
	type AsyncRun,
	asyncRunDir,
	readAsyncRun,
	writeAsyncRunCancelled,
	writeAsyncRunStatus,
} from "../../monitor/_state/async-run.ts";
import {
	disposition,
	runProcess,
	runVerdict,
} from "../../monitor/_state/async-run-verdict.ts";
import type { Looked, ProcStat } from "../../monitor/_sys/doors.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const STATE = "/state";
let doors: FakeDoors;
let out: string[];
let err: string[];
let session: string;
let window: string | null;
beforeEach(() => {
	doors = fakeDoors({ auto: true });
	doors.files.seedDir(STATE);
	doors.files.seedDir("/work");
	out = [];
	err = [];
	session = "s1";
	window = "v1.2";
});

function run(...argv: string[]) {
	return asyncRun(argv, {
		doors,
		timer: doors.clock,
		stateDir: STATE,
		window,
		session,
		runnerArgv: (dir) => ["bun", "async-run.ts", "--runner", dir],
		cwd: "/work",
		out: (line) => void out.push(line),
		err: (line) => void err.push(line),
	});
}
const token = () => /token=(\S+)/.exec(out[0] ?? "")?.[1] ?? "";
const dirOf = (name = token()) => asyncRunDir(STATE, "v1.2", name);
const pidOf = (name = token()) => readAsyncRun(doors.files, dirOf(name)).pid!;
const text = (name: string) => {
	const read = doors.files.read(`${dirOf()}/${name}`);
	return read.kind === "ok" ? read.text : null;
};

describe("a launch", () => {
	test("prints the token alone on the first line", async () => {
		expect(await run("--desc", "train", "--", "make", "-j", "all it")).toBe(0);
		expect(out[0]).toMatch(/^async-run: launched token=ar-[0-9a-f]{12}$/);
		expect(out[1]).toContain(dirOf());
	});

	test("keeps what was started, by whom and where", async () => {
		await run("--desc", "train", "--", "make", "all it");
		expect(dirOf()).toStartWith("/state/async-run/v1%2E2/ar-");
		expect(text("argv")).toBe("make\0all it\0");
		expect(text("cmd")).toBe("make 'all it'\n");
		expect(text("desc")).toBe("train\n");
		expect(text("cwd")).toBe("/work\n");
		expect(text("started")).toBe(`${doors.clock.now()}\n`);
		expect(text("session")).toBe("s1\n");
		expect(text("window")).toBe("v1.2\n");
		const [spawned] = doors.proc.spawned;
		expect(text("pid")).toBe(`${spawned!.pid}\n`);
		expect(spawned).toMatchObject({
			argv: ["bun", "async-run.ts", "--runner", dirOf()],
			cwd: "/work",
			log: `${dirOf()}/out`,
			errLog: `${dirOf()}/err`,
		});
	});

	test("declares the wait for it", async () => {
		await run("--desc", "train", "--", "make");
		const read = doors.files.read("/state/heartbeat/v1.2.json");
		expect(JSON.parse(read.kind === "ok" ? read.text : "")).toMatchObject({
			external_waits: [{ kind: "asyncrun", id: token(), desc: "train" }],
		});
		out.length = 0;
		await run("--", "cmake");
		const again = doors.files.text("/state/heartbeat/v1.2.json");
		expect(JSON.parse(again).external_waits[1]).toEqual({
			kind: "asyncrun",
			id: token(),
		});
	});

	test.each([
		[["make", "--", "x"], "make\0--\0x\0"],
		[["--", "make", "--desc"], "make\0--desc\0"],
		[["--desc", "--", "--", "make"], "make\0"],
		[["--desc=d", "make", "-k"], "make\0-k\0"],
	])(
		"begins its command at `--` or at the first word of its own: %j",
		async (argv, kept) => {
			expect(await run(...argv)).toBe(0);
			expect(text("argv")).toBe(kept);
		},
	);

	test("of a command that runs already is exit 9 with its token", async () => {
		await run("--", "make");
		const first = token();
		out.length = 0;
		expect(await run("--", "make")).toBe(9);
		expect(out).toEqual([`async-run: already running token=${first}`]);
		expect(doors.proc.spawned).toHaveLength(1);
	});

	test.each<readonly [string, string, string, boolean]>([
		[
			"--allow-concurrent is given",
			"make",
			"--allow-concurrent -- make",
			false,
		],
		["there is another word", "make", "-- make all", false],
		["the first word differs", "make", "-- cmake", false],
		["one of two words differs", "make x", "-- make y", false],
		["the first has ended", "make", "-- make", true],
	])("is a new one when %s", async (_, first, second, ended) => {
		await run("--", ...first.split(" "));
		if (ended) doors.proc.end(pidOf());
		out.length = 0;
		expect(await run(...second.split(" "))).toBe(0);
	});

	test.each([
		[[]],
		[["--"]],
		[["--desc", "x"]],
		[["--bogus", "--", "make"]],
		[["--cwd", "/none", "--", "make"]],
	])("%j: exit 2", async (argv) => {
		expect(await run(...argv)).toBe(2);
		expect(err).toHaveLength(1);
		expect(err[0]).toStartWith("async-run: ");
		expect(doors.proc.spawned).toEqual([]);
	});

	test.each([null, "", "../x"])(
		"without a window of one's own (%p): exit 2",
		async (none) => {
			window = none;
			expect(await run("--", "make")).toBe(2);
			if (!none) expect(err.join()).toContain("NEXUS_WORKER_WINDOW is not set");
		},
	);

	test("that fails is exit 3 and leaves nothing", async () => {
		doors.proc.spawnFails = "EAGAIN";
		expect(await run("--", "make")).toBe(3);
		expect(doors.files.list("/state/async-run/v1%2E2")).toEqual({
			kind: "ok",
			names: [],
		});
		expect(err).toEqual(["async-run: could not be started: EAGAIN"]);
	});

	test.each(["argv", "window"])(
		"whose file `%s` cannot be written starts nothing",
		async (name) => {
			const fault = { path: new RegExp(`/${name}$`), ops: ["write"] as const };
			doors.files.faults.fail({ ...fault, code: "ENOSPC" });
			expect(await run("--", "make")).toBe(3);
			expect(doors.proc.spawned).toEqual([]);
			expect(err.join()).toContain("ENOSPC");
			expect(doors.files.paths("/state/async-run")).toEqual([]);
		},
	);

	test("whose folder cannot be made starts nothing", async () => {
		const fault = { path: /async-run/, ops: ["mkdir"] as const };
		doors.files.faults.fail({ ...fault, code: "EROFS" });
		expect(await run("--", "make")).toBe(3);
		expect(doors.proc.spawned).toEqual([]);
	});

	test("whose wait cannot be declared runs, and says what to say", async () => {
		const fault = { path: /heartbeat/, ops: ["write"] as const };
		doors.files.faults.fail({ ...fault, code: "ENOSPC" });
		expect(await run("--", "make")).toBe(0);
		expect(err.join()).toEndWith(`say: declare-wait asyncrun ${token()}`);
	});

	test("goes into the folder that is named, with the caller's environment", async () => {
		doors.files.seedDir("/else");
		doors.proc.env.KEY = "value";
		doors.proc.env.GONE = undefined;
		expect(await run("--cwd", "/else", "--", "make")).toBe(0);
		const [{ cwd, env } = { cwd: "", env: {} }] = doors.proc.spawned;
		expect(cwd).toBe("/else");
		expect(env).toMatchObject({ KEY: "value", HOME: "/home/op" });
		expect(env).not.toHaveProperty("GONE");
	});
});

describe("the runner", () => {
	test("keeps its own pid and the exit status", async () => {
		await run("--", "make");
		const dir = dirOf();
		const runner = fakeDoors({ beside: doors, proc: { pid: 777 } });
		const ran: (readonly string[])[] = [];
		const proc = {
			...runner.proc,
			foreground: async (argv: readonly string[]) => {
				ran.push(argv);
				return 3;
			},
		};
		await runAsyncRun({ ...runner, proc }, dir, () => {});
		expect(ran).toEqual([["make"]]);
		expect(readAsyncRun(doors.files, dir)).toMatchObject({
			pid: 777,
			status: { rc: 3, endedAt: doors.clock.now() },
		});
	});

	/** Runs `make` on a disk that is full, as `heals` has it at each wait; the exit status is 5. */
	async function onFullDisk(heals: (waits: number, cure: () => void) => void) {
		await run("--", "make");
		const endedAt = doors.clock.now();
		const fault = { path: /status/, ops: ["write"] as const };
		const cure = doors.files.faults.fail({ ...fault, code: "ENOSPC" });
		const proc = { ...doors.proc, foreground: async () => 5 };
		const said: string[] = [];
		let waits = 0;
		const clock = {
			...doors.clock,
			sleep: (ms: number) => {
				heals(++waits, cure);
				return doors.clock.sleep(ms);
			},
		};
		const say = (line: string) => said.push(line);
		await runAsyncRun({ files: doors.files, clock, proc }, dirOf(), say);
		const { status } = readAsyncRun(doors.files, dirOf());
		return { said, waits, status, endedAt };
	}

	test("keeps the status, of the moment of the end, when the disk has room again", async () => {
		const ran = await onFullDisk((n, cure) => (n < 5 ? undefined : cure()));
		const { endedAt } = ran;
		expect(ran).toMatchObject({ waits: 5, status: { rc: 5, endedAt } });
		expect(ran.said.join("\n")).toMatch(/^async-run: rc=5 not kept: .*ENOSPC/);
		expect(ran.said).toHaveLength(1);
	});

	test("does not wait for ever, nor for a folder that is gone", async () => {
		expect((await onFullDisk(() => {})).waits).toBe(360);
		const cleared = await onFullDisk(() => doors.files.removeTree(dirOf()));
		expect(cleared.waits).toBe(1);
	});

	test("of a program that cannot be started says 127 and why", async () => {
		await run("--", "no-such");
		const proc = { ...doors.proc, foreground: async () => null };
		const said: string[] = [];
		await runAsyncRun({ ...doors, proc }, dirOf(), (line) => said.push(line));
		expect(readAsyncRun(doors.files, dirOf()).status?.rc).toBe(127);
		expect(said.join()).toContain("no-such");
	});
});

const RUN: AsyncRun = {
	token: "ar-0123456789ab",
	dir: "/d",
	argv: ["make"],
	desc: "",
	session: "s1",
	pid: 5,
	startTicks: "100",
	status: null,
	isCancelled: false,
	outBytes: 3,
	errBytes: 0,
};
const DONE = { rc: 0, endedAt: 1 };

describe("the verdict", () => {
	test.each([
		["status", { status: DONE }, "gone", null, "terminal", "settled"],
		[
			"status, though a cancel was asked for",
			{ status: DONE, isCancelled: true },
			"alive",
			null,
			"terminal",
			"settled",
		],
		[
			"cancel, alive",
			{ isCancelled: true },
			"alive",
			null,
			"cancel-requested",
			"live",
		],
		[
			"cancel, gone",
			{ isCancelled: true },
			"gone",
			null,
			"cancelled",
			"settled",
		],
		["alive", {}, "alive", null, "running", "live"],
		["gone", {}, "gone", null, "died", "gone"],
		[
			"gone, but the status came meanwhile",
			{},
			"gone",
			DONE,
			"terminal",
			"settled",
		],
		[
			"status, though nobody can tell whose the pid is",
			{ status: DONE },
			"unverifiable",
			null,
			"terminal",
			"settled",
		],
		["nobody can tell", {}, "unverifiable", null, "unknown", "doubt"],
		[
			"nobody can tell, cancelled",
			{ isCancelled: true },
			"unverifiable",
			null,
			"unknown",
			"doubt",
		],
	] as const)("%s", (_, change, process, again, word, disp) => {
		const verdict = runVerdict({ ...RUN, ...change }, process, again);
		expect(verdict.word).toBe(word);
		expect(disposition(verdict.word)).toBe(disp);
		expect(verdict.detail).toContain("out 3 bytes, err 0 bytes");
	});

	test("of a silent run says so, once it has ended", () => {
		const silent = { ...RUN, outBytes: 0 };
		const said = (process: "alive" | "gone") =>
			runVerdict(silent, process, null).detail;
		expect(said("gone")).toContain("NO-OUTPUT-CAPTURED");
		expect(said("alive")).not.toContain("NO-OUTPUT-CAPTURED");
	});

	test("of a run that died never calls it finished, nor tells anyone to stop waiting", () => {
		const { detail } = runVerdict(RUN, "gone", null);
		expect(detail).not.toMatch(/finish|complete|done|stop|no longer wait/i);
	});

	const stat = (change: Partial<ProcStat>): Looked<ProcStat> => ({
		kind: "ok",
		value: {
			pid: 5,
			ppid: 1,
			pgid: 5,
			sid: 5,
			comm: "bun",
			state: "S",
			utime: 0,
			stime: 0,
			startTicks: "100",
			...change,
		},
	});
	test.each([
		["the same process", RUN, stat({}), "alive"],
		["another with its pid", RUN, stat({ startTicks: "200" }), "gone"],
		["a zombie", RUN, stat({ state: "Z" }), "gone"],
		["none", RUN, { kind: "absent" }, "gone"],
		[
			"could not look",
			RUN,
			{ kind: "unknown", reason: "EACCES" },
			"unverifiable",
		],
		["no pid kept", { ...RUN, pid: null }, stat({}), "unverifiable"],
		[
			"no start time kept",
			{ ...RUN, startTicks: null },
			stat({}),
			"unverifiable",
		],
	] as const)("%s", (_, record, looked, process) => {
		expect(runProcess(record, looked)).toBe(process);
	});

	test.each(["", "weird", "constructor", "TERMINAL"])(
		"any other word (%j) is doubt",
		(word) => {
			expect(disposition(word)).toBe("doubt");
		},
	);
});

describe("the query verbs", () => {
	beforeEach(async () => {
		await run("--desc", "train", "--", "make");
		doors.files.append(`${dirOf()}/out`, "hi");
	});
	const ask = async (...argv: string[]) => {
		const before = out.length;
		const rc = await run(...argv);
		return [rc, ...out.slice(before)];
	};

	test("say word and detail in three forms", async () => {
		const detail = `pid ${pidOf()}, out 3 bytes, err 0 bytes`;
		expect(await ask("--status", token())).toEqual([0, `running: ${detail}`]);
		expect(await ask("--status-line", token())).toEqual([
			0,
			`running|${detail}`,
		]);
		expect(await ask("--disposition-line", token())).toEqual([
			0,
			`live|running|${detail}`,
		]);
	});
	test("find the token from any window, and need none", async () => {
		window = null;
		expect((await ask("--status-line", token()))[1]).toStartWith("running|");
		window = "other";
		expect((await ask("--dir", token()))[1]).toBe(dirOf());
	});
	test("take no path for a token", async () => {
		doors.files.seed("/state/async-run/v1%2E2/x/ar-0123456789ab/argv", "");
		for (const name of ["x/ar-0123456789ab", "ar-0123456789ab/..", "."])
			expect(await ask("--dir", name)).toEqual([5]);
		doors.files.seedDir("/state/async-run/v1%2E2/notes");
		expect(await ask("--list")).toEqual([0, `${token()}\trunning\ttrain`]);
	});

	test.each(["ar-000000000000", "../../etc", "x"])(
		"know nothing of %j",
		async (name) => {
			expect(await ask("--disposition-line", name)).toEqual([
				0,
				"doubt|unknown|no such token",
			]);
			expect(await ask("--dir", name)).toEqual([5]);
		},
	);
	test("--verdict-disposition needs nothing at all", async () => {
		window = null;
		expect(await ask("--verdict-disposition", "died")).toEqual([0, "gone"]);
		expect(await ask("--verdict-disposition", "whatever")).toEqual([
			0,
			"doubt",
		]);
		expect(await ask("--verdict-disposition", "")).toEqual([0, "doubt"]);
	});
	test("--list has a row a run", async () => {
		expect(await ask("--list")).toEqual([0, `${token()}\trunning\ttrain`]);
	});
	test("--help prints the usage", async () => {
		const [rc, usage] = await ask("--help");
		expect(rc).toBe(0);
		expect(usage).toStartWith("usage: async-run [");
	});
});

function callAs(other: string): void {
	session = other;
}

describe("--cancel", () => {
	const PROGRAM = 60_000;
	/** The runner has started it. */
	const begin = () =>
		doors.proc.add({ pid: PROGRAM, ppid: pidOf(), pgid: pidOf() });
	beforeEach(async () => {
		await run("--", "make");
		begin();
	});
	const cancel = () => run("--cancel", token());
	const marker = () => text("cancelled");

	test("marks before it signals, and signals the whole group", async () => {
		let before: string | null = null;
		const { signal } = doors.proc;
		doors.proc.signal = (pid, sig) => {
			before ??= marker();
			return signal(pid, sig);
		};
		const pid = pidOf();
		expect(await cancel()).toBe(0);
		expect(before as unknown).toBe(
			`by=s1\nat=${doors.clock.now()}\nsignalled=TERM\n`,
		);
		expect(doors.proc.signals).toEqual([{ pid: -pid, sig: "SIGTERM" }]);
		expect(await run("--status-line", token())).toBe(0);
		expect(out.at(-1)).toStartWith("cancelled|");
	});

	test("after 10 s kills, and says so", async () => {
		const pid = pidOf();
		doors.proc.add({ pid, startTicks: startOf(pid), survives: ["SIGTERM"] });
		const first = doors.clock.monoMs();
		expect(await cancel()).toBe(0);
		expect(doors.clock.monoMs() - first).toBe(10_000);
		expect(doors.proc.signals.map((s) => s.sig)).toEqual([
			"SIGTERM",
			"SIGKILL",
		]);
		expect(marker()).toContain("signalled=TERM,KILL");
	});

	test("that comes before the program waits for it: a runner alone bears the signal", async () => {
		doors.proc.end(PROGRAM);
		const at: number[] = [];
		const { signal } = doors.proc;
		const first = doors.clock.monoMs();
		doors.proc.signal = (pid, sig) => {
			at.push(doors.clock.monoMs() - first);
			return signal(pid, sig);
		};
		doors.clock.after(250, begin);
		expect(await cancel()).toBe(0);
		expect(doors.proc.signals.map((s) => s.sig)).toEqual(["SIGTERM"]);
		expect(at).toEqual([300]);
	});

	test("of a runner that never starts its program kills it", async () => {
		doors.proc.end(PROGRAM);
		expect(await cancel()).toBe(0);
		expect(doors.proc.signals.map((s) => s.sig)).toEqual(["SIGKILL"]);
	});

	test("signals at once where nobody can look for the program", async () => {
		const { table } = doors.proc;
		doors.proc.table = () => ({ kind: "unknown", reason: "EACCES" });
		expect(await cancel()).toBe(0);
		doors.proc.table = table;
		expect(doors.proc.signals.map((s) => s.sig)).toEqual(["SIGTERM"]);
	});

	test("of what survives both is exit 4", async () => {
		const pid = pidOf();
		doors.proc.add({
			pid,
			startTicks: startOf(pid),
			survives: ["SIGTERM", "SIGKILL"],
		});
		const first = doors.clock.monoMs();
		expect(await cancel()).toBe(4);
		expect(doors.clock.monoMs() - first).toBe(12_000);
		expect(err).toEqual([`async-run: pid ${pid} is still alive`]);
	});

	test("of a run that has ended does nothing", async () => {
		writeAsyncRunStatus(doors.files, dirOf(), 7, 1);
		expect(await cancel()).toBe(0);
		expect(out.at(-1)).toContain("rc=7");
		expect(doors.proc.signals).toEqual([]);
		expect(marker()).toBeNull();
	});

	test.each([
		[5, "no run ar-", () => doors.files.removeTree(dirOf())],
		[6, "session s1 started this run", () => callAs("s2")],
		[7, "whose run this is", () => callAs("")],
		[
			7,
			"whose run this is cannot be told",
			() => doors.files.writeAtomic(`${dirOf()}/session`, "\n"),
		],
		[
			8,
			"cannot be told from another's",
			() => doors.files.remove(`${dirOf()}/pidstart`),
		],
		[8, "its pid cannot be told", () => doors.files.remove(`${dirOf()}/pid`)],
	] as const)("exit %d: %s; nobody is signalled", async (rc, why, make) => {
		make();
		expect(await cancel()).toBe(rc);
		expect(doors.proc.signals).toEqual([]);
		expect(err).toHaveLength(1);
		expect(err[0]).toContain(why);
		expect(marker()).toBeNull();
	});

	test("of a run that died does not make an end on request of it", async () => {
		doors.proc.end(pidOf());
		expect(await cancel()).toBe(0);
		expect(out.at(-1)).toBe("async-run: gone already, without an exit status");
		expect(marker()).toBeNull();
		await run("--status-line", token());
		expect(out.at(-1)).toStartWith("died|");
	});

	test("of a run that ends at this moment tells how", async () => {
		const { stat } = doors.proc;
		doors.proc.stat = () => {
			doors.proc.stat = stat;
			writeAsyncRunStatus(doors.files, dirOf(), 3, 1);
			return { kind: "absent" };
		};
		expect(await cancel()).toBe(0);
		expect(out.at(-1)).toContain("rc=3");
		expect(marker()).toBeNull();
	});

	test("that cannot be noted ends it all the same, and says so", async () => {
		const fault = { path: /cancelled/, ops: ["write"] as const };
		doors.files.faults.fail({ ...fault, code: "ENOSPC" });
		expect(await cancel()).toBe(0);
		expect(doors.proc.signals).toHaveLength(1);
		expect(err.join()).toContain("its end will look like a crash");
	});

	test("never signals a stranger that got the pid", async () => {
		const pid = pidOf();
		doors.proc.end(pid);
		doors.proc.add({ pid, startTicks: "999999" });
		expect(await cancel()).toBe(0);
		expect(doors.proc.signals).toEqual([]);
	});

	test("a status that says nothing is none", async () => {
		doors.files.seed(`${dirOf()}/status`, "rc=\nended=2\n");
		doors.proc.end(pidOf());
		await run("--status-line", token());
		expect(out.at(-1)).toStartWith("died|");
	});

	test("a marker of an earlier try does not hide a status", async () => {
		writeAsyncRunCancelled(doors.files, dirOf(), {
			by: "s1",
			at: 1,
			signalled: "TERM",
		});
		writeAsyncRunStatus(doors.files, dirOf(), 143, 2);
		await run("--status-line", token());
		expect(out.at(-1)).toStartWith("terminal|rc=143");
	});
});

function startOf(pid: number): string {
	const found = doors.proc.stat(pid);
	return found.kind === "ok" ? found.value.startTicks : "";
}
