import { describe, expect, test } from "bun:test";
import type { DeliverOutcome } from "../../monitor/_delivery/outcome.ts";
import { REFUSED } from "../fakes/tmux.ts";
import { EMIT, makeRig, NO_PICTURE, type Rig, SIGNATURE } from "./rig.ts";

const submission = {
	type: "user",
	promptSource: "typed",
	message: { content: EMIT },
};

describe("further Enters", () => {
	test("a box that held the text gets a second one, and no third", async () => {
		const { deliver, repl } = makeRig();
		repl.set({ holds: 1 });
		expect(await deliver()).toMatchObject({
			rc: 0,
			outcome: "submitted-after-retry",
			enterRetries: 1,
		});
		expect(repl.enters).toBe(2);
	});

	test("a busy agent that held it: queued after a retry", async () => {
		const { deliver, repl } = makeRig();
		repl.set({ holds: 1, busy: true });
		expect((await deliver()).outcome).toBe("queued-after-retry");
	});

	test("an agent that ignores Enter gets three, and the text is remembered", async () => {
		const { deliver, leftover, repl } = makeRig();
		repl.set({ holds: 99 });
		expect(await deliver()).toMatchObject({
			rc: 4,
			outcome: "held",
			enterRetries: 2,
		});
		expect(repl.enters).toBe(3);
		expect(leftover()).toBe(EMIT);
	});

	test("our text sent, then a human's draft: never a second one", async () => {
		const { afterEnter, deliver, doors, repl } = makeRig();
		repl.set({ records: false });
		afterEnter(() =>
			doors.clock.after(300, () => repl.humanTypes("wait, one more thing")),
		);
		expect(await deliver()).toMatchObject({
			rc: 3,
			outcome: "undecidable-box",
		});
		expect(repl.enters).toBe(1);
	});

	test("a human types on to the text that was held: never a second one", async () => {
		const { afterEnter, deliver, repl } = makeRig();
		repl.set({ holds: 99 });
		afterEnter(() => repl.humanTypes("!"));
		expect((await deliver()).outcome).toBe("undecidable-box");
		expect(repl.enters).toBe(1);
	});

	test.each([
		["a dialog", { overlay: "askuq", state: "blocked" }, "blocked"],
		["an empty box", { state: "idle", input: "blank" }, "inert"],
		["a picture that failed", NO_PICTURE, "undecidable-box"],
	] as const)(
		"a box that held the text, and %s in the look before the second Enter: none",
		async (_what, seen, outcome) => {
			const { afterEnter, deliver, repl } = makeRig();
			repl.set({ holds: 99 });
			// Three looks of the window hold it; the next one is the Enter's own.
			afterEnter(() => repl.set({ script: [{}, {}, {}, seen] }));
			expect((await deliver()).outcome).toBe(outcome);
			expect(repl.enters).toBe(1);
		},
	);

	test("one that tmux refuses: the text is in the box, and is remembered", async () => {
		const { afterEnter, deliver, doors, leftover, repl } = makeRig();
		repl.set({ holds: 1 });
		afterEnter(() =>
			doors.clock.after(1, () => void doors.tmux.fail("run", REFUSED, 1)),
		);
		expect(await deliver()).toMatchObject({
			rc: 1,
			outcome: "tmux-failed",
			failStep: "send-keys-enter",
		});
		expect(repl.enters).toBe(1);
		expect(leftover()).toBe(EMIT);
	});

	test("a dialog that comes up gets none", async () => {
		const { afterEnter, deliver, repl } = makeRig();
		repl.set({ records: false, holds: 1 });
		afterEnter(() => repl.set({ overlay: "permission" }));
		expect(await deliver()).toMatchObject({ rc: 4, outcome: "blocked" });
		expect(repl.enters).toBe(1);
	});

	test("a dialog that comes up behind a text that was taken is no refusal, though the record comes late", async () => {
		const { afterEnter, deliver, doors, leftover, repl } = makeRig();
		repl.set({ records: false });
		afterEnter(() => {
			repl.set({ overlay: "permission" });
			doors.clock.after(1800, () => repl.record(submission));
		});
		expect(await deliver()).toMatchObject({ rc: 0, outcome: "submitted" });
		expect(repl.enters).toBe(1);
		expect(leftover()).toBeNull();
	});
});

describe("without proof", () => {
	const ROWS: readonly [string, (rig: Rig) => void, DeliverOutcome, number][] =
		[
			["the transcript stood still", () => {}, "inert", 4],
			[
				"it grew without our record",
				({ repl }: Rig) => repl.record({ type: "assistant" }),
				"in-flight",
				3,
			],
			[
				"a turn runs",
				({ repl }: Rig) => repl.set({ busy: true }),
				"in-flight",
				3,
			],
			[
				"it was replaced",
				({ doors, repl }: Rig) =>
					void doors.files.writeAtomic(repl.transcript, "{}\n"),
				"unverifiable",
				3,
			],
			[
				"it went away",
				({ doors, repl }: Rig) => void doors.files.remove(repl.transcript),
				"unverifiable",
				3,
			],
			[
				"an earlier prompt left the queue",
				({ repl }: Rig) =>
					repl.record({
						type: "user",
						promptSource: "queued",
						message: { content: "earlier" },
					}),
				"in-flight",
				3,
			],
		];

	test.each(ROWS)("%s", async (_what, happens, outcome, rc) => {
		const rig = makeRig();
		rig.repl.set({ records: false });
		rig.afterEnter(() => happens(rig));
		const result = await rig.deliver(EMIT, { needle: SIGNATURE });
		expect(result).toMatchObject({ rc, outcome });
		expect(rig.repl.enters).toBe(1);
		expect(rig.leftover()).toBeNull();
	});

	test("a session that nobody can name is not waited for behind a dialog either", async () => {
		const { afterEnter, deliver, doors, repl } = makeRig();
		repl.set({ sessionId: null, holds: 1 });
		afterEnter(() => repl.set({ overlay: "permission" }));
		const start = doors.clock.monoMs();
		expect((await deliver()).outcome).toBe("blocked");
		expect(doors.clock.monoMs() - start).toBeLessThan(1000);
	});

	test("a turn that runs in a session that nobody can name proves nothing", async () => {
		const { deliver, repl } = makeRig();
		repl.set({ sessionId: null, busy: true });
		expect((await deliver()).outcome).toBe("unverifiable");
	});

	test("a session that nobody can name is not waited for", async () => {
		const { deliver, doors, repl } = makeRig();
		repl.set({ sessionId: null });
		const start = doors.clock.monoMs();
		expect(await deliver()).toMatchObject({ rc: 3, outcome: "unverifiable" });
		expect(doors.clock.monoMs() - start).toBeLessThan(3000);
	});
});

describe("proof", () => {
	test("comes from the live session, whatever id our own files hold", async () => {
		const { deliver } = makeRig();
		const stale = "99999999-6a3e-4c1d-9f55-0d7c2a1b3e44";
		const result = await deliver(EMIT, { sessionId: stale });
		expect(result.outcome).toBe("submitted");
	});

	test("may come from our own files' id when no live session is known", async () => {
		const { deliver, repl } = makeRig();
		const sessionId = repl.sessionId;
		repl.set({ sessionId: null });
		expect((await deliver(EMIT, { sessionId })).outcome).toBe("submitted");
	});

	test("may come from a witness of the caller's own", async () => {
		const { deliver, repl } = makeRig();
		repl.set({ records: false });
		const alsoProves = () => repl.sent.length > 0;
		expect((await deliver(EMIT, { alsoProves })).outcome).toBe("submitted");
	});

	test("may come from a session's first record, in a file that was not there before", async () => {
		const { deliver, doors, repl } = makeRig();
		doors.files.remove(repl.transcript);
		expect((await deliver()).outcome).toBe("submitted");
	});

	test("is what the caller calls so, and not what else the text holds", async () => {
		const { deliver } = makeRig();
		const end = await deliver(EMIT, { needle: "nexus-emit-sig of another" });
		expect(end.outcome).toBe("in-flight");
	});

	test("may come behind records of something else", async () => {
		const { afterPaste, deliver, repl } = makeRig();
		afterPaste(() => repl.record({ type: "assistant" }));
		expect((await deliver()).outcome).toBe("submitted");
	});

	test("is a whole record: a torn one is waited out", async () => {
		const { afterEnter, deliver, doors, repl } = makeRig();
		repl.set({ records: false });
		afterEnter(() => {
			doors.files.faults.tear(repl.transcript, 40);
			repl.record(submission);
			doors.clock.after(2000, () => repl.record(submission));
		});
		const start = doors.clock.monoMs();
		expect((await deliver()).outcome).toBe("submitted");
		expect(doors.clock.monoMs() - start).toBeGreaterThan(2000);
	});
});
