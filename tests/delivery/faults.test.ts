import { describe, expect, test } from "bun:test";
import { HUNG, REFUSED, type TmuxCall } from "../fakes/tmux.ts";
import { EMIT, makeRig } from "./rig.ts";

const sends = (key: string) => (call: TmuxCall) =>
	call.op === "run" &&
	call.cmd.kind === "send-keys" &&
	call.cmd.keys[0] === key;
const INSERT = sends("i");
const ENTER = sends("Enter");

describe("a tmux call that fails once", () => {
	test.each([
		["the keys are refused", INSERT, REFUSED, "send-keys-insert"],
		["the keys hang", INSERT, HUNG, "send-keys-insert"],
		["the buffer is refused", "load-buffer", REFUSED, "load-buffer"],
		["the buffer hangs", "load-buffer", HUNG, "load-buffer"],
		["the paste is refused", "paste-buffer", REFUSED, "paste"],
		["the Enter is refused", ENTER, REFUSED, "send-keys-enter"],
	] as const)(
		"%s: a failure that names its step, and no Enter",
		async (_what, match, failure, failStep) => {
			const { deliver, doors, leftover, repl } = makeRig();
			doors.tmux.fail(match, failure, 1);
			expect(await deliver()).toMatchObject({
				rc: 1,
				outcome: "tmux-failed",
				failStep,
				reason: failure.kind === "failed" ? failure.stderr : "hung",
			});
			// Only the Enter's refusal leaves the text in the box.
			expect(leftover()).toBe(failStep === "send-keys-enter" ? EMIT : null);
			expect(repl.enters).toBe(0);
			expect(doors.files.paths("/tmp")).toEqual([]);
			expect(doors.tmux.model.buffers.size).toBe(0);
		},
	);
});

describe("a client that was killed for hanging may have been heard", () => {
	test("a paste that was not: no Enter", async () => {
		const { deliver, doors, repl } = makeRig();
		doors.tmux.fail("paste-buffer", HUNG, 1);
		expect(await deliver()).toMatchObject({
			rc: 4,
			outcome: "blocked-after-paste",
		});
		expect(repl.enters).toBe(0);
	});

	test("a paste that was: it is seen in the box, and sent once", async () => {
		const { deliver, doors, repl } = makeRig();
		doors.tmux.before((call) => {
			if (call.op === "run" && call.cmd.kind === "paste-buffer")
				repl.window.pane.onPaste(EMIT, repl.window.pane);
		});
		doors.tmux.fail("paste-buffer", HUNG, 1);
		expect((await deliver()).outcome).toBe("submitted");
		expect(repl.sent).toEqual([EMIT]);
	});

	test("an Enter that was not: the box still holds the text, and it is pressed again", async () => {
		const { deliver, doors, repl } = makeRig();
		doors.tmux.fail(ENTER, HUNG, 1);
		expect((await deliver()).outcome).toBe("submitted-after-retry");
		expect(repl.sent).toEqual([EMIT]);
	});

	test("an Enter that was: the record is seen, and it is not pressed again", async () => {
		const { deliver, doors, repl } = makeRig();
		doors.tmux.before((call) => {
			if (ENTER(call)) repl.window.pane.onKey("Enter", repl.window.pane);
		});
		doors.tmux.fail(ENTER, HUNG, 1);
		expect((await deliver()).outcome).toBe("submitted");
		expect(repl.enters).toBe(1);
	});
});

test("a temporary folder that cannot be made is a failure before the paste", async () => {
	const { deliver, doors, repl } = makeRig();
	doors.files.makeTempDir = () => {
		throw new Error("ENOSPC");
	};
	expect(await deliver()).toMatchObject({ rc: 1, failStep: "load-buffer" });
	expect(repl.window.pane.pastes).toEqual([]);
});

test("so is one that takes no file, and it is cleared away", async () => {
	const { deliver, doors, repl } = makeRig();
	doors.files.faults.fail({ path: /nexus-paste-.*payload/, code: "ENOSPC" });
	expect(await deliver()).toMatchObject({ rc: 1, failStep: "load-buffer" });
	expect(repl.window.pane.pastes).toEqual([]);
	expect(doors.files.paths("/tmp")).toEqual([]);
});

test("a state folder that cannot be written does not keep a report from arriving", async () => {
	const { deliver, doors } = makeRig();
	doors.files.faults.fail({ path: /paste-leftover/, code: "EROFS" });
	expect((await deliver()).outcome).toBe("submitted");
});

describe("an abort", () => {
	const abortedBy = async (kind: string) => {
		const rig = makeRig();
		const stop = new AbortController();
		rig.doors.tmux.after((call) => {
			if (call.op === "run" && call.cmd.kind === kind) stop.abort();
		});
		return { rig, result: await rig.deliver(EMIT, { signal: stop.signal }) };
	};

	test("before the first key sends nothing", async () => {
		const { deliver, keys } = makeRig();
		const result = await deliver(EMIT, { signal: AbortSignal.abort() });
		expect(result).toMatchObject({ rc: 1, outcome: "aborted" });
		expect(keys()).toEqual([]);
	});

	test.each(["send-keys", "load-buffer"])(
		"after %s pastes nothing and leaves no buffer",
		async (kind) => {
			const { rig, result } = await abortedBy(kind);
			expect(result.outcome).toBe("aborted");
			expect(rig.repl.window.pane.pastes).toEqual([]);
			expect(rig.doors.tmux.model.buffers.size).toBe(0);
			expect(rig.doors.files.paths("/tmp")).toEqual([]);
		},
	);

	test("after the paste presses no Enter, and the text is remembered", async () => {
		const { rig, result } = await abortedBy("paste-buffer");
		expect(result).toMatchObject({ rc: 4, reason: "aborted" });
		expect(rig.repl.enters).toBe(0);
		expect(rig.leftover()).toBe(EMIT);
	});

	test("during the look before the Enter presses none, and the text is remembered", async () => {
		const { deliver, leftover, onStep, repl } = makeRig();
		const stop = new AbortController();
		let looks = 0;
		onStep((step) => {
			if (step === "look" && ++looks === 2) stop.abort();
		});
		const result = await deliver(EMIT, { signal: stop.signal });
		expect(result).toMatchObject({ rc: 4, reason: "aborted" });
		expect(repl.enters).toBe(0);
		expect(leftover()).toBe(EMIT);
	});

	test("after the Enter still learns what became of it, and presses no further one", async () => {
		const { afterEnter, deliver, repl } = makeRig();
		const stop = new AbortController();
		repl.set({ holds: 99 });
		afterEnter(() => stop.abort());
		const result = await deliver(EMIT, { signal: stop.signal });
		expect(result).toMatchObject({ outcome: "held", enterRetries: 0 });
		expect(repl.enters).toBe(1);
	});
});
