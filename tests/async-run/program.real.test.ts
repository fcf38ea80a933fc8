/** async-run with real processes. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CODE_ROOT, PROGRAMS } from "../../monitor/_sys/names.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { waitUntil } from "../support/wait-until.ts";

let dir: string;
let env: Record<string, string>;
const started: number[] = [];
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), "nexus-async-"));
	env = {
		PATH: "/usr/bin:/bin",
		HOME: dir,
		NEXUS_STATE_DIR: join(dir, "state"),
		NEXUS_ROOT: dir,
		NEXUS_WORKER_WINDOW: "w1",
		CLAUDE_CODE_SESSION_ID: "s1",
	};
});
afterEach(() => {
	// Groups of our own, by pid.
	for (const pid of started.splice(0)) realProc().signal(-pid, "SIGKILL");
	rmSync(dir, { recursive: true, force: true });
});

function run(...args: string[]) {
	const program = join(CODE_ROOT, PROGRAMS.asyncRun);
	const done = Bun.spawnSync([process.execPath, program, ...args], {
		cwd: dir,
		env,
	});
	const lines = done.stdout.toString().split("\n");
	return { rc: done.exitCode, lines, err: done.stderr.toString() };
}
function launch(...command: string[]) {
	const { lines, err } = run("--", ...command);
	const token = /^async-run: launched token=(ar-[0-9a-f]{12})$/.exec(
		lines[0]!,
	)?.[1];
	if (token === undefined) throw new Error(err);
	const home = run("--dir", token).lines[0]!;
	const pid = Number(readFileSync(join(home, "pid"), "utf8"));
	started.push(pid);
	const file = (name: string) => readFileSync(join(home, name), "utf8");
	return { token, home, pid, file };
}
const word = (token: string) =>
	run("--status-line", token).lines[0]!.split("|")[0];
const ended = (token: string, wanted = "terminal") =>
	waitUntil(`${token} to be ${wanted}`, () => word(token) === wanted || null, {
		limitMs: 20_000,
	});

test("a run outlives its launcher, in a session of its own, and leaves output and exit status", async () => {
	const job = launch("sh", "-c", "cat; echo out; echo err >&2; exit 3");
	await ended(job.token);
	expect(job.file("status")).toMatch(/^rc=3\nended=\d+\n$/);
	expect(job.file("out")).toBe("out\n");
	expect(job.file("err")).toBe("err\n");
	expect(run("--status", job.token).lines[0]).toBe(
		"terminal: rc=3, out 4 bytes, err 4 bytes",
	);
}, 30_000);

test("one that is killed with its runner died, which is not finished", async () => {
	const job = launch("sleep", "600");
	expect(word(job.token)).toBe("running");
	const stat = realProc().stat(job.pid);
	expect(stat).toMatchObject({ value: { sid: job.pid, pgid: job.pid } });
	realProc().signal(-job.pid, "SIGKILL");
	await ended(job.token, "died");
	expect(existsSync(join(job.home, "status"))).toBe(false);
}, 30_000);

test("a cancel ends the program; its runner lives to tell how", async () => {
	const job = launch("sleep", "601");
	expect(run("--cancel", job.token).rc).toBe(0);
	expect(job.file("status")).toStartWith("rc=143\n");
	expect(job.file("cancelled")).toContain("by=s1\n");
	expect(realProc().alive(job.pid)).toBe(false);
}, 30_000);

test("the same command twice is told apart from two", () => {
	const job = launch("sleep", "602");
	const again = run("--", "sleep", "602");
	expect(again.rc).toBe(9);
	expect(again.lines[0]).toBe(`async-run: already running token=${job.token}`);
}, 30_000);

test("a program that is not there is an exit status, too", async () => {
	const job = launch("no-such-program");
	await ended(job.token);
	expect(job.file("status")).toStartWith("rc=127\n");
	expect(job.file("err")).toContain("no-such-program");
}, 30_000);
