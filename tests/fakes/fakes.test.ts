import { expect, test } from "bun:test";
import { fakeClock } from "./clock.ts";
import { fakeDoors } from "./doors.ts";
import { SimulatedCrash } from "./faults.ts";
import { HANG } from "./proc.ts";
import { HUNG, REFUSED } from "./tmux.ts";

test("a sleep ends when the clock has been advanced so far, and its continuation has run by then", async () => {
	const clock = fakeClock({ now: 1000 });
	const seen: number[] = [];
	const flow = (async () => {
		await clock.sleep(500);
		seen.push(clock.monoMs());
		await clock.sleep(500);
		seen.push(clock.monoMs());
	})();
	const start = clock.monoMs();
	await clock.advance(999);
	expect(seen).toEqual([start + 500]);
	await clock.advance(1);
	await flow;
	expect(seen).toEqual([start + 500, start + 1000]);
	expect(clock.now()).toBe(1001);
});

test("run moves from timer to timer until the promise settles", async () => {
	const clock = fakeClock({ now: 0 });
	const slow = (async () => {
		for (let i = 0; i < 10; i++) await clock.sleep(60_000);
		return "done";
	})();
	expect(await clock.run(slow)).toBe("done");
	expect(clock.now()).toBe(600);
});

test("an automatic clock needs no steering", async () => {
	const clock = fakeClock({ now: 0, auto: true });
	await clock.sleep(3_600_000);
	expect(clock.now()).toBe(3600);
});

test("a suspend moves the wall clock alone, a stall both, and neither fires a timer", async () => {
	const clock = fakeClock({ now: 0 });
	let fired = 0;
	clock.after(1000, () => fired++);
	const mono = clock.monoMs();
	clock.suspend(28_800_000);
	expect([clock.now(), clock.monoMs() - mono, fired]).toEqual([28_800, 0, 0]);
	clock.stall(5000);
	expect([clock.now(), clock.monoMs() - mono, fired]).toEqual([
		28_805, 5000, 0,
	]);
	await clock.advance(0);
	expect(fired).toBe(1);
});

test("a full disk tears an append and leaves no temporary file of an atomic write", () => {
	const { files } = fakeDoors();
	files.seed("/s/log", "one\n");
	files.faults.freeBytes = 3;
	expect(files.append("/s/log", "three\n")).toMatchObject({ code: "ENOSPC" });
	expect(files.text("/s/log")).toBe("one\nthr");
	expect(files.writeAtomic("/s/new", "text")).toMatchObject({ code: "ENOSPC" });
	expect(files.paths("/s")).toEqual(["/s/log"]);
});

test("a crash between the write and the rename leaves the old file and the temporary one", () => {
	const { files } = fakeDoors();
	files.seed("/s/state", "old");
	files.faults.crashAt(1);
	expect(() => files.writeAtomic("/s/state", "new")).toThrow(SimulatedCrash);
	expect(() => files.read("/s/state")).toThrow(SimulatedCrash);
	files.reboot();
	expect(files.text("/s/state")).toBe("old");
	expect(files.paths("/s")).toHaveLength(2);
});

test("a power cut empties what was never synced", () => {
	const { files } = fakeDoors();
	files.mkdir("/s");
	files.writeAtomic("/s/a", "kept", { fsync: true });
	files.writeAtomic("/s/b", "lost");
	files.reboot({ powerCut: true });
	expect([files.text("/s/a"), files.text("/s/b")]).toEqual(["kept", ""]);
});

test("a hook can change the screen between two tmux calls", async () => {
	const { tmux } = fakeDoors();
	const window = tmux.window("bench", "before");
	tmux.before((call) => {
		if (call.op === "run") window.pane.screen = "overlay";
	});
	await tmux.run({
		kind: "send-keys",
		target: window.pane.id,
		keys: ["Escape"],
	});
	const look = await tmux.capture(window.pane.id, { escapes: true });
	expect(look.kind === "ok" && look.stdout.startsWith("overlay\n")).toBe(true);
});

test("tmux calls fail on demand, and a hung one uses up its limit", async () => {
	const { tmux, clock } = fakeDoors();
	tmux.window("bench");
	tmux.fail("panes", REFUSED, 1);
	tmux.fail("panes", HUNG, 1);
	expect(await tmux.panes()).toEqual(REFUSED);
	const start = clock.monoMs();
	expect(await clock.run(tmux.panes())).toEqual(HUNG);
	expect(clock.monoMs() - start).toBeGreaterThan(0);
	expect((await tmux.panes()).kind).toBe("ok");
});

test("a hanging program ends at the caller's limit, or when aborted", async () => {
	const { proc, clock } = fakeDoors();
	proc.answer("git", HANG);
	const timed = proc.exec(["/usr/bin/git", "status"], { timeoutMs: 5000 });
	expect((await clock.run(timed)).kind).toBe("timeout");
	const abort = new AbortController();
	const aborted = proc.exec(["git"], {
		timeoutMs: 5000,
		signal: abort.signal,
	});
	abort.abort();
	expect((await clock.run(aborted)).kind).toBe("aborted");
});

test("a group signal reaches every member, and survivors stay", () => {
	const { proc } = fakeDoors();
	proc.add({ pid: 70, pgid: 70 });
	proc.add({ pid: 71, pgid: 70, survives: ["SIGTERM"] });
	expect(proc.signal(-70, "SIGTERM")).toBe("sent");
	expect([proc.alive(70), proc.alive(71)]).toEqual([false, true]);
	expect(proc.signal(70, "SIGTERM")).toBe("gone");
});
