/** What only real processes can show. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "../../monitor/_sys/clock.ts";
import { realLocks } from "../../monitor/_sys/lock.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { parseStat } from "../../monitor/_sys/proc-fs.ts";
import { treeOf } from "../../monitor/_sys/process-tree.ts";

const proc = realProc();
let dir: string;
beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "proc-real-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const env = { PATH: process.env.PATH ?? "" };

test("numbers that address more than one process are refused", () => {
	for (const pid of [0, -1, 1, 1.5, Number.NaN])
		expect(proc.signal(pid, "SIGTERM")).toBe("refused");
	expect(proc.alive(0)).toBe(false);
});

test("a zombie is dead: where nobody reaps, it would stand for ever", async () => {
	// The shell's child ends, and the shell, stopped by then, does not reap it.
	const shell = Bun.spawn(["sh", "-c", "sleep 0.1 & echo $!; kill -STOP $$"], {
		env: process.env,
		stdout: "pipe",
	});
	const first = await shell.stdout.getReader().read();
	const pid = Number(new TextDecoder().decode(first.value));
	const state = () => {
		const stat = proc.stat(pid);
		return stat.kind === "ok" ? stat.value.state : stat.kind;
	};
	while (state() !== "Z") await Bun.sleep(1);
	expect(proc.alive(pid)).toBe(false);
	shell.kill("SIGKILL");
	await shell.exited;
});

test("a program in the foreground has our streams and gives its exit code", async () => {
	expect(await proc.foreground(["sh", "-c", "exit 3"])).toBe(3);
	expect(await proc.foreground(["/no/such/program"])).toBeNull();
});

test("the machine's facts are readable", () => {
	expect(proc.bootId()).toMatch(/^[0-9a-f-]{36}$/);
	expect(proc.pidNamespace()).toMatch(/^pid:\[\d+\]$/);
	expect(proc.bootTime()).toBeGreaterThan(1_000_000_000);
	expect(proc.which("sh")).toMatch(/\/sh$/);
	expect(proc.which("no-such-program")).toBeNull();
});

describe("a detached program", () => {
	test("has a session of its own, inherits no descriptor (no lock), and appends to a log of mode 0640", async () => {
		const log = join(dir, "service.log");
		writeFileSync(log, "before\n", { mode: 0o666 });
		const locks = realLocks(realClock({}));
		const lock = locks.hold(join(dir, "held.lock"));
		const started = proc.spawnDetached({
			argv: ["sh", "-c", "echo out; echo err >&2; exec sleep 600"],
			cwd: dir,
			env,
			log,
		});
		if (started.kind !== "ok") throw new Error(started.reason);
		const { pid } = started;
		try {
			while (!readFileSync(log, "utf8").includes("err")) await Bun.sleep(5);
			expect(readFileSync(log, "utf8")).toBe("before\nout\nerr\n");
			expect(statSync(log).mode & 0o777 & 0o027).toBe(0);
			expect(proc.stat(pid)).toMatchObject({ value: { sid: pid, pgid: pid } });
			const open = readdirSync(`/proc/${pid}/fd`).map((fd) =>
				readlinkSync(`/proc/${pid}/fd/${fd}`),
			);
			expect(open.sort()).toEqual(["/dev/null", log, log].sort());
		} finally {
			proc.signal(-pid, "SIGKILL");
			if (lock.kind === "acquired") lock.lock.release();
		}
	});

	test("outlives the program that started it", async () => {
		const code = `const { realProc } = await import(${JSON.stringify(join(import.meta.dir, "../../monitor/_sys/proc.ts"))});
const s = realProc().spawnDetached({ argv: ["sleep", "600"], env: process.env, log: null }); console.log(s.pid);`;
		const starter = Bun.spawn([process.execPath, "-e", code], {
			env: process.env,
			stdout: "pipe",
		});
		const pid = Number(await starter.stdout.text());
		await starter.exited;
		expect(proc.alive(pid)).toBe(true);
		proc.signal(pid, "SIGKILL");
		while (proc.alive(pid)) await Bun.sleep(5);
	});

	test("that cannot be started is an answer", () => {
		expect(
			proc.spawnDetached({ argv: ["/no/such"], env, log: null }).kind,
		).toBe("failed");
		expect(
			proc.spawnDetached({ argv: ["true"], env, log: "/no/such/log" }).kind,
		).toBe("failed");
		const fifo = join(dir, "fifo.log");
		Bun.spawnSync(["mkfifo", fifo], { env: process.env });
		expect(proc.spawnDetached({ argv: ["true"], env, log: fifo })).toEqual({
			kind: "failed",
			reason: "ENXIO",
		});
	});
});

test("a new log is 0640 whatever the umask; another's rights are only ever taken away", async () => {
	const code = `const { ensureServiceLog } = await import(${JSON.stringify(join(import.meta.dir, "../../monitor/_sys/service-log.ts"))});
process.umask(0); for (const path of process.argv.slice(1)) ensureServiceLog(path);`;
	const fresh = join(dir, "fresh.log");
	const loose = join(dir, "loose.log");
	const tight = join(dir, "tight.log");
	writeFileSync(loose, "kept", { mode: 0o666 });
	writeFileSync(tight, "kept", { mode: 0o600 });
	Bun.spawnSync(["chmod", "0666", loose], { env: process.env });
	const child = Bun.spawn(
		[process.execPath, "-e", code, fresh, loose, tight, "/no/such/dir/log"],
		{ env: process.env },
	);
	expect(await child.exited).toBe(0);
	const mode = (path: string) => statSync(path).mode & 0o777;
	expect([mode(fresh), mode(loose), mode(tight)]).toEqual([
		0o640, 0o640, 0o600,
	]);
	expect(readFileSync(loose, "utf8")).toBe("kept");
});

describe("/proc/<pid>/stat", () => {
	const tail =
		"S 7 8 9 0 -1 4194304 75 0 0 0 11 12 0 0 20 0 1 0 111600 3133440";

	test.each([
		["sh", "sh"],
		["a (b) c", "a (b) c"],
		[") S 1 2 3", ") S 1 2 3"],
		["tmux: server", "tmux: server"],
	])(
		"of a process named %p is read from its last parenthesis",
		(comm, name) => {
			expect(parseStat(`42 (${comm}) ${tail}\n`)).toEqual({
				pid: 42,
				comm: name,
				state: "S",
				ppid: 7,
				pgid: 8,
				sid: 9,
				utime: 11,
				stime: 12,
				startTicks: "111600",
			});
		},
	);

	test.each(["", "42", "42 (sh", "42 (sh) S", "x (sh) S 1 2"])(
		"%p is not of the format",
		(text) => {
			expect(parseStat(text)).toBeNull();
		},
	);
});

test("a tree is the process, its descendants, and with a group of its own whoever shares group or session", () => {
	const row = (pid: number, ppid: number, pgid: number, sid: number) => ({
		pid,
		ppid,
		pgid,
		sid,
		comm: "x",
		state: "S",
		utime: 0,
		stime: 0,
		startTicks: "1",
	});
	const table = [
		row(10, 1, 10, 10),
		row(11, 10, 10, 10),
		row(12, 11, 12, 12),
		row(13, 1, 10, 10),
		row(14, 1, 14, 10),
		row(20, 1, 20, 20),
	];
	const pids = (own: boolean) =>
		treeOf(table, 10, own)
			.map((p) => p.pid)
			.sort();
	expect(pids(true)).toEqual([10, 11, 12, 13, 14]);
	expect(pids(false)).toEqual([10, 11, 12]);
});

test("a program in our terminal finds the environment as we made it, not as we got it", async () => {
	process.env.NEXUS_TEST_MARK = "here";
	const asks = ["sh", "-c", 'test "$NEXUS_TEST_MARK" = here'];
	expect(await proc.foreground(asks)).toBe(0);
	delete process.env.NEXUS_TEST_MARK;
	expect(await proc.foreground(asks)).toBe(1);
});
