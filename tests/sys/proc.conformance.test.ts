/** One suite for the real process table and the fake one. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Proc } from "../../monitor/_sys/doors.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { fakeClock } from "../fakes/clock.ts";
import { fakeProc } from "../fakes/proc.ts";
import { waitUntil } from "../support/wait-until.ts";

interface Rig {
	readonly proc: Proc;
	/** A program that waits, leader of its own group, MARK=here in its environment. */
	start(): Promise<number>;
	stop(pid: number): Promise<void>;
	/** A pid that nobody has. */
	readonly nobody: number;
	/** Starts a program that ends so, without us; a name that nobody has cannot be started. */
	readonly ending: (exitCode: number) => readonly string[];
}

const children = new Map<number, Bun.Subprocess>();

const rigs: readonly (readonly [string, () => Rig])[] = [
	[
		"the real processes",
		() => ({
			proc: realProc(),
			start: async () => {
				const child = Bun.spawn(["sleep", "600"], {
					detached: true,
					env: { MARK: "here", PATH: process.env.PATH },
				});
				children.set(child.pid, child);
				// The kernel shows the new name before the new arguments.
				await waitUntil("its arguments", () =>
					readFileSync(`/proc/${child.pid}/cmdline`, "utf8").startsWith(
						"sleep",
					),
				);
				return child.pid;
			},
			stop: async (pid) => {
				children.get(pid)?.kill("SIGKILL");
				await children.get(pid)?.exited;
			},
			nobody: 4_194_305,
			ending: (exitCode) => ["sh", "-c", `exit ${exitCode}`],
		}),
	],
	[
		"the fake processes",
		() => {
			const proc = fakeProc(fakeClock());
			proc.answer("echo", "a b\n");
			proc.answer("false", 1);
			proc.programs.set("sh", "/bin/sh");
			return {
				proc,
				start: async () => {
					proc.add({
						pid: 777,
						ppid: proc.pid,
						argv: ["sleep", "600"],
						environ: { MARK: "here" },
						cwd: process.cwd(),
					});
					return 777;
				},
				stop: async (pid) => proc.end(pid),
				nobody: 4_194_305,
				// The fake runs nothing: the test says how it ends.
				ending: (exitCode) => {
					const { spawnDetached } = proc;
					proc.spawnDetached = (s) => {
						const begun = spawnDetached(s);
						if (begun.kind === "ok")
							queueMicrotask(() => proc.end(begun.pid, exitCode));
						return begun;
					};
					return ["sh", "-c", `exit ${exitCode}`];
				},
			};
		},
	],
];

describe.each(rigs)("%s", (_name, build) => {
	let rig: Rig;
	let proc: Proc;
	let pid: number;
	beforeEach(async () => {
		rig = build();
		proc = rig.proc;
		pid = await rig.start();
	});
	afterEach(() => rig.stop(pid));

	test("a live process is told: its parent, group, arguments, environment, folder", () => {
		expect(proc.alive(pid)).toBe(true);
		expect(proc.stat(pid)).toMatchObject({
			kind: "ok",
			value: { pid, ppid: proc.pid, pgid: pid, sid: pid, comm: "sleep" },
		});
		expect(proc.argv(pid)).toEqual({ kind: "ok", value: ["sleep", "600"] });
		expect(proc.environ(pid)).toMatchObject({ value: { MARK: "here" } });
		expect(proc.cwd(pid)).toEqual({ kind: "ok", value: process.cwd() });
		expect(proc.exe(pid)).toMatchObject({
			value: expect.stringMatching(/(sleep|coreutils|busybox)$/),
		});
	});

	test("the start time is digits and stays the same", () => {
		const ticks = () => {
			const stat = proc.stat(pid);
			return stat.kind === "ok" ? stat.value.startTicks : "";
		};
		expect(ticks()).toMatch(/^\d+$/);
		expect(ticks()).toBe(ticks());
	});

	test("the table holds it and ourselves", () => {
		const table = proc.table();
		const pids = table.kind === "ok" ? table.value.map((p) => p.pid) : [];
		expect(pids).toContain(pid);
		expect(pids).toContain(proc.pid);
	});

	test("a process that is not there is absent, to every question", () => {
		const { nobody } = rig;
		expect(proc.alive(nobody)).toBe(false);
		for (const answer of [
			proc.stat(nobody),
			proc.argv(nobody),
			proc.environ(nobody),
			proc.exe(nobody),
			proc.cwd(nobody),
		])
			expect(answer.kind).toBe("absent");
		expect(proc.signal(nobody, "SIGTERM")).toBe("gone");
		expect(proc.signal(-nobody, "SIGTERM")).toBe("gone");
	});

	test("a stopped process is alive, in state T, until it is continued", async () => {
		const state = () => {
			const stat = proc.stat(pid);
			return stat.kind === "ok" ? stat.value.state : stat.kind;
		};
		expect(proc.signal(pid, "SIGSTOP")).toBe("sent");
		while (state() !== "T") await Bun.sleep(1);
		expect(proc.alive(pid)).toBe(true);
		proc.signal(pid, "SIGCONT");
		while (state() === "T") await Bun.sleep(1);
	});

	test("a signal to the group ends its members", async () => {
		expect(proc.signal(-pid, "SIGTERM")).toBe("sent");
		while (proc.alive(pid)) await Bun.sleep(1);
	});

	test("a program is run: output, exit code, or not found", async () => {
		const opts = { timeoutMs: 10_000 };
		expect(await proc.exec(["echo", "a b"], opts)).toMatchObject({
			kind: "exited",
			rc: 0,
			stdout: "a b\n",
		});
		expect(await proc.exec(["false"], opts)).toMatchObject({ rc: 1 });
		expect(await proc.exec(["no-such-program"], opts)).toMatchObject({
			kind: "not-found",
		});
		const signal = AbortSignal.abort();
		expect(await proc.exec(["echo"], { ...opts, signal })).toEqual({
			kind: "aborted",
		});
	});

	test("the machine has a name, a boot and a clock, which do not change", () => {
		const facts = () => [
			proc.hostname,
			proc.bootId(),
			proc.pidNamespace(),
			proc.ticksPerSecond(),
			proc.execPath,
			proc.uid,
		];
		expect(facts()).toEqual(facts());
		expect(facts().every((fact) => fact !== "")).toBe(true);
		expect(proc.execPath).toStartWith("/");
		expect(proc.ticksPerSecond()).toBeGreaterThan(0);
		expect(proc.bootTime()).toBeGreaterThan(0);
		expect(proc.listeners().kind).toBe("ok");
	});

	test("a process belongs to who started it, and nobody to nobody", () => {
		expect(proc.owner(pid)).toEqual({ kind: "ok", value: proc.uid });
		expect(proc.owner(rig.nobody).kind).toBe("absent");
	});

	test("a program is found on PATH, or is not there", () => {
		expect(proc.which("sh")).toMatch(/^\/.*sh$/);
		expect(proc.which("no-such-program")).toBeNull();
	});

	test("a program has our terminal until it ends; one that cannot be started has no exit code", async () => {
		expect(await proc.foreground(["false"])).toBe(1);
		expect(await proc.foreground(["no-such-program"])).toBeNull();
	});

	test.each([0, 3])(
		"a detached program that ends with %d says so to whoever is still there",
		async (code) => {
			const argv = rig.ending(code);
			const begun = proc.spawnDetached({ argv, env: {}, log: null });
			if (begun.kind !== "ok") throw new Error(begun.reason);
			expect(await begun.exited).toBe(code);
			while (proc.alive(begun.pid)) await Bun.sleep(1);
		},
	);

	test("a detached program that is killed ends with 128 and the signal's number", async () => {
		const argv = ["sleep", "600"];
		const begun = proc.spawnDetached({ argv, env: {}, log: null });
		if (begun.kind !== "ok") throw new Error(begun.reason);
		expect(proc.signal(-begun.pid, "SIGKILL")).toBe("sent");
		expect(await begun.exited).toBe(137);
	});
});
