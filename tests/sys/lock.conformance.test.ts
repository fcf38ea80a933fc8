/** One suite, two kinds of locks. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "../../monitor/_sys/clock.ts";
import type { Files, LockAttempt, Locks } from "../../monitor/_sys/doors.ts";
import { realFiles } from "../../monitor/_sys/files.ts";
import { realLocks } from "../../monitor/_sys/lock.ts";
import { fakeDoors } from "../fakes/doors.ts";
import type { FakeFiles } from "../fakes/files.ts";

interface Rig {
	readonly locks: Locks;
	readonly files: Files;
	readonly path: string;
}

const realDirs: string[] = [];
afterAll(() => {
	for (const dir of realDirs) rmSync(dir, { recursive: true, force: true });
});

const rigs: readonly (readonly [string, () => Rig])[] = [
	[
		"flock",
		() => {
			const dir = mkdtempSync(join(tmpdir(), "lock-suite-"));
			realDirs.push(dir);
			return {
				locks: realLocks(realClock({})),
				files: realFiles(),
				path: join(dir, "x.lock"),
			};
		},
	],
	[
		"the fake locks",
		() => {
			const { locks, files } = fakeDoors({ auto: true });
			return { locks, files, path: "/tmp/x.lock" };
		},
	],
];

/** The fake disk has a word of its own for it. */
function link(files: Files & Partial<FakeFiles>, target: string, path: string) {
	if (files.seedLink === undefined) symlinkSync(target, path);
	else files.seedLink(target, path);
}

function taken(got: LockAttempt) {
	if (got.kind !== "acquired") throw new Error(`not acquired: ${got.kind}`);
	return got.lock;
}

describe.each(rigs)("%s", (_name, build) => {
	let locks: Locks;
	let files: Files;
	let path: string;
	beforeEach(() => {
		({ locks, files, path } = build());
	});

	test("a symlink in its place is not held, and what it points to stays as it is", () => {
		const victim = `${path}.victim`;
		files.append(victim, "theirs");
		link(files, victim, path);
		expect(locks.hold(path)).toEqual({ kind: "cannot-open", reason: "ELOOP" });
		expect(files.read(victim)).toMatchObject({ text: "theirs\n" });
	});

	test("a probe of an absent file says free and does not create it", () => {
		expect(locks.probe(path)).toEqual({ kind: "free" });
		expect(files.stat(path).kind).toBe("absent");
	});

	test("a held lock refuses the next, with the holder's words, until it is released", () => {
		const lock = taken(locks.hold(path));
		lock.write("pid: 42\nhost: a\n");
		const held = { kind: "held", text: "pid: 42\nhost: a\n" } as const;
		expect(locks.hold(path)).toEqual(held);
		expect(locks.probe(path)).toEqual(held);
		expect(locks.hold(path)).toEqual(held);
		lock.release();
		expect(locks.probe(path)).toEqual({ kind: "free" });
		taken(locks.hold(path)).release();
	});

	test("taking a lock does not erase the last holder's words; writing replaces them whole", () => {
		const first = taken(locks.hold(path));
		first.write("a long text of the first holder\n");
		first.release();
		const second = taken(locks.hold(path));
		expect(second.read()).toEqual({
			kind: "ok",
			text: "a long text of the first holder\n",
		});
		second.write("short\n");
		second.write("shorter");
		expect(files.read(path)).toEqual({ kind: "ok", text: "shorter" });
		second.release();
	});

	test("releasing twice does not release the next holder", () => {
		const first = taken(locks.hold(path));
		first.release();
		const second = taken(locks.hold(path));
		first.release();
		expect(locks.probe(path).kind).toBe("held");
		second.release();
	});

	test("a wait ends when the lock is released, or at its limit, or when aborted", async () => {
		const lock = taken(locks.hold(path));
		expect((await locks.acquireWithin(path, 30)).kind).toBe("held");
		const signal = AbortSignal.abort();
		expect((await locks.acquireWithin(path, 60_000, signal)).kind).toBe("held");
		const waiting = locks.acquireWithin(path, 60_000);
		lock.release();
		taken(await waiting).release();
	});

	test("locks of different paths do not meet", () => {
		const a = taken(locks.hold(path));
		const b = taken(locks.hold(`${path}2`));
		a.release();
		expect(locks.probe(`${path}2`).kind).toBe("held");
		b.release();
	});
});

describe("flock", () => {
	test("a file that cannot be opened is its own answer", () => {
		const locks = realLocks(realClock({}));
		expect(locks.hold("/proc/no/such/lock").kind).toBe("cannot-open");
		expect(locks.probe("/dev/null/lock").kind).toBe("free");
	});

	test("the descriptor is close-on-exec: a program started under the lock does not hold it", async () => {
		const dir = mkdtempSync(join(tmpdir(), "lock-exec-"));
		realDirs.push(dir);
		const path = join(dir, "x.lock");
		const locks = realLocks(realClock({}));
		const lock = taken(locks.hold(path));
		const child = Bun.spawn(["sh", "-c", "ls -l /proc/$$/fd; exec sleep 60"], {
			env: process.env,
			stdout: "pipe",
			detached: true,
		});
		const first = await child.stdout.getReader().read();
		const descriptors = new TextDecoder().decode(first.value);
		expect(descriptors).toContain(" -> ");
		expect(descriptors).not.toContain("x.lock");
		lock.release();
		expect(locks.probe(path).kind).toBe("free");
		child.kill("SIGKILL");
		await child.exited;
	});

	test("one that is released is free at once, also while programs are being started", async () => {
		const dir = mkdtempSync(join(tmpdir(), "lock-busy-"));
		realDirs.push(dir);
		const locks = realLocks(realClock({}));
		const started: Promise<number>[] = [];
		for (let round = 0; round < 50; round++) {
			const lock = taken(locks.hold(join(dir, "x.lock")));
			started.push(Bun.spawn(["true"], { env: process.env }).exited);
			lock.release();
		}
		await Promise.all(started);
	});

	test("what is no regular file cannot be locked: a FIFO would hang whoever opens it", () => {
		const dir = mkdtempSync(join(tmpdir(), "lock-fifo-"));
		realDirs.push(dir);
		const fifo = join(dir, "x.lock");
		Bun.spawnSync(["mkfifo", fifo], { env: process.env });
		const locks = realLocks(realClock({}));
		const refused = { kind: "cannot-open", reason: "ENXIO" } as const;
		expect(locks.probe(fifo)).toEqual(refused);
		expect(locks.hold(fifo)).toEqual(refused);
	});

	test("the lock of a killed process is free at once, and its words remain", async () => {
		const dir = mkdtempSync(join(tmpdir(), "lock-killed-"));
		realDirs.push(dir);
		const path = join(dir, "x.lock");
		const code = `const { holdLock } = await import(${JSON.stringify(join(import.meta.dir, "../../monitor/_sys/lock.ts"))});
const got = holdLock(${JSON.stringify(path)}); got.lock.write("pid: " + process.pid + "\\n"); console.log("held"); setInterval(() => {}, 1000);`;
		const child = Bun.spawn([process.execPath, "-e", code], {
			env: process.env,
			stdout: "pipe",
		});
		await child.stdout.getReader().read();
		const locks = realLocks(realClock({}));
		expect(locks.probe(path)).toEqual({
			kind: "held",
			text: `pid: ${child.pid}\n`,
		});
		child.kill("SIGKILL");
		await child.exited;
		expect(locks.probe(path)).toEqual({ kind: "free" });
		expect(realFiles().read(path).kind).toBe("ok");
	});
});

test("a wait under a frozen clock ends, too", async () => {
	const dir = mkdtempSync(join(tmpdir(), "lock-suite-"));
	realDirs.push(dir);
	const locks = realLocks(realClock({ NEXUS_TEST_NOW: "1000" }));
	const lock = taken(locks.hold(join(dir, "x.lock")));
	const got = await locks.acquireWithin(join(dir, "x.lock"), 60_000);
	expect(got.kind).toBe("held");
	lock.release();
});
