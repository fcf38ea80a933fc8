import { describe, expect, test } from "bun:test";
import { nextDeliveryState } from "../../monitor/_delivery/health.ts";
import { sightingOf } from "../../monitor/_delivery/history.ts";
import type { DeliverOutcome } from "../../monitor/_delivery/outcome.ts";
import { DELIVER_RC } from "../../monitor/_delivery/outcome.ts";
import { pasteRcOf } from "../../monitor/_delivery/paste-result.ts";
import {
	type PasteRequest,
	pasteToTarget,
} from "../../monitor/_delivery/paste-to-target.ts";
import { pasteWithRetry } from "../../monitor/_delivery/paste-with-retry.ts";
import { HUNG, NO_TMUX, REFUSED, ZERO_ROWS } from "../fakes/tmux.ts";
import { SESSION } from "./fake-repl.ts";
import {
	EMIT,
	FILE,
	makeRig,
	NO_PICTURE,
	type Rig,
	STATE,
	TARGET,
} from "./rig.ts";

const LOCK = `${STATE}/paste-locks/${TARGET}.lock`;
const LAST_PASTE = `${STATE}/orchestrator-last-paste.ts`;
const PIN = `${STATE}/orchestrator-session-id`;

const request: PasteRequest = { window: TARGET, file: FILE, stamp: "stamp" };

function paste(rig: Rig, text = EMIT, more: Partial<PasteRequest> = {}) {
	rig.doors.files.seed(FILE, text);
	return pasteToTarget(rig.deps, { ...request, ...more });
}
function pasteRetrying(
	rig: Rig,
	text = EMIT,
	more: Partial<PasteRequest> = {},
) {
	rig.doors.files.seed(FILE, text);
	return pasteWithRetry(rig.deps, { ...request, ...more });
}

/** Nobody can read a transcript: only the pane's history is left to tell. */
function withoutTranscript(): Rig {
	const rig = makeRig();
	rig.repl.set({ sessionId: null });
	return rig;
}

describe("one attempt", () => {
	test.each([
		["a record with the signature", {}, 0, 1],
		["a busy pane's queue entry with it", { busy: true }, 0, 1],
		["a box that held once", { holds: 1 }, 0, 2],
		["an overlay that is up already", { overlay: "permission" }, 7, 0],
		["a draft in the box", { box: [{ text: "wait", pasted: false }] }, 7, 0],
		["an Enter that is ignored", { holds: 99 }, 6, 3],
		["a pane that cannot be read", { script: [NO_PICTURE] }, 3, 0],
		["a bare shell", { script: [{ state: "absent" }] }, 5, 0],
	] as const)("%s", async (_what, state, rc, enters) => {
		const rig = makeRig();
		rig.repl.set(state);
		expect((await paste(rig)).rc).toBe(rc);
		expect(rig.repl.enters).toBe(enters);
		if (enters === 0) expect(rig.keys()).toEqual([]);
		expect(rig.doors.locks.heldPaths()).toEqual([]);
	});

	test.each([
		["an overlay", ({ repl }: Rig) => repl.set({ overlay: "askuq" })],
		["a completion menu", ({ repl }: Rig) => repl.set({ menu: "/model" })],
		["another text", ({ repl }: Rig) => repl.humanTypes("x")],
	] as const)(
		"%s between paste and Enter: no Enter, 6",
		async (_what, happens) => {
			const rig = makeRig();
			rig.afterPaste(() => happens(rig));
			expect(await paste(rig)).toMatchObject({
				rc: 6,
				outcome: "blocked-after-paste",
			});
			expect(rig.repl.enters).toBe(0);
		},
	);

	test("another program in the orchestrator's window is its fault, and no failure of the watcher's: 5", async () => {
		const rig = makeRig();
		const vim = { ...NO_PICTURE, isForeign: true } as const;
		rig.repl.set({ script: [vim] });
		const { rc } = await paste(rig);
		expect(rc).toBe(5);
		const before = { lastAt: null, failures: 2 };
		expect(nextDeliveryState(before, rc, 3, 1)).toEqual({
			next: before,
			alert: null,
			restart: false,
		});
	});

	test.each([
		[
			1,
			"tmux is not installed",
			({ doors }: Rig) => doors.tmux.fail("panes", NO_TMUX),
		],
		[
			2,
			"window not listed",
			({ repl }: Rig) => {
				repl.window.name = "w1";
			},
		],
		[
			3,
			"could not look, try again",
			({ doors }: Rig) => doors.tmux.fail("panes", ZERO_ROWS),
		],
		[
			5,
			"dead pane",
			({ repl }: Rig) => {
				repl.window.pane.dead = "1";
			},
		],
	] as const)(
		"%i, nothing sent, in words: %s",
		async (rc, outcome, happens) => {
			const rig = makeRig();
			happens(rig);
			expect(await paste(rig)).toEqual({
				rc,
				outcome,
				confirmed: false,
				pane: null,
			});
			expect(rig.keys()).toEqual([]);
		},
	);

	test.each([REFUSED, HUNG, ZERO_ROWS])(
		"tmux could not be asked: 3, nothing sent",
		async (failure) => {
			const rig = makeRig();
			rig.doors.tmux.fail("panes", failure);
			expect((await paste(rig)).rc).toBe(3);
			expect(rig.keys()).toEqual([]);
		},
	);

	test.each([
		"orchestrato",
		"orchestrator-2",
		"ORCHESTRATOR",
		"",
		"orchestrator ",
	])(
		"a window that is only similar (%p) is not the target: nothing is typed into it",
		async (name) => {
			const rig = makeRig();
			rig.repl.window.name = name;
			expect((await paste(rig)).rc).toBe(2);
			expect(rig.keys()).toEqual([]);
		},
	);

	test.each([
		"two words",
		"it's;",
		'"quoted"',
		"a.b",
		"-t",
		"#{pane_id}",
		"日本",
	])("a window named %p is found by that very name", async (name) => {
		const rig = makeRig();
		rig.doors.tmux.window("decoy");
		rig.repl.window.name = name;
		expect((await paste(rig, EMIT, { window: name })).rc).toBe(0);
		expect(rig.repl.sent).toEqual([EMIT]);
	});

	test("of two windows of one name the first gets it; when one of them is dead, neither does", async () => {
		const rig = makeRig();
		const twin = rig.doors.tmux.window(TARGET);
		expect((await paste(rig)).rc).toBe(0);
		expect(twin.pane.pastes).toEqual([]);
		twin.pane.dead = "1";
		expect((await paste(rig)).rc).toBe(5);
	});

	test("the Enter is refused: 6, since the text is in the box", async () => {
		const rig = makeRig();
		rig.doors.tmux.fail(
			(call) =>
				call.op === "run" &&
				call.cmd.kind === "send-keys" &&
				call.cmd.keys[0] === "Enter",
			REFUSED,
		);
		expect((await paste(rig)).rc).toBe(6);
	});
});

describe("the paste lock", () => {
	test("is held while a delivery runs, and given back after it", async () => {
		const rig = makeRig();
		let held: readonly string[] = [];
		rig.afterPaste(() => {
			held = rig.doors.locks.heldPaths();
		});
		await paste(rig);
		expect(held).toEqual([LOCK]);
		expect(rig.doors.locks.heldPaths()).toEqual([]);
	});

	test("is given back when something throws", async () => {
		const rig = makeRig();
		rig.afterPaste(() => {
			throw new Error("a bug");
		});
		await expect(paste(rig)).rejects.toThrow("a bug");
		expect(rig.doors.locks.heldPaths()).toEqual([]);
	});

	test("of another paster is waited for, 20 s: then 3", async () => {
		const rig = makeRig();
		rig.doors.locks.takenElsewhere(LOCK);
		const start = rig.doors.clock.monoMs();
		expect(await paste(rig)).toMatchObject({
			rc: 3,
			outcome: "paste lock is held",
			isBusy: true,
		});
		expect(rig.doors.clock.monoMs() - start).toBe(20_000);
		expect(rig.steps).toEqual([]);
	});

	test("given back in time lets the next one in", async () => {
		const rig = makeRig();
		rig.doors.clock.after(5000, rig.doors.locks.takenElsewhere(LOCK));
		expect((await paste(rig)).rc).toBe(0);
	});

	test("that cannot be opened: 3, why, and no key", async () => {
		const rig = makeRig();
		rig.doors.locks.cannotOpen(LOCK, "EROFS");
		expect(await paste(rig)).toMatchObject({
			rc: 3,
			outcome: "paste lock: EROFS",
		});
		expect(rig.steps).toEqual([]);
	});

	test("two pasters at once: one after the other, both whole", async () => {
		const rig = makeRig();
		const other = EMIT.replace("a1b2c3", "d4e5f6");
		rig.doors.files.seed("/nexus/other.md", other);
		const both = await Promise.all([
			paste(rig),
			pasteToTarget(rig.deps, { ...request, file: "/nexus/other.md" }),
		]);
		expect(both.map((p) => p.rc)).toEqual([0, 0]);
		expect([...rig.repl.sent].sort()).toEqual([EMIT, other].sort());
	});
});

describe("nothing confirms", () => {
	test("the signature above the last prompt row: 0, UNCONFIRMED, said so", async () => {
		const rig = withoutTranscript();
		const result = await paste(rig);
		expect(result).toMatchObject({ rc: 0, confirmed: false });
		expect(rig.repl.enters).toBe(1);
		expect(rig.doors.log.messages("warn")).toEqual([
			`paste window=${TARGET} UNCONFIRMED (unverifiable)`,
		]);
	});

	test("the signature below the last prompt row is in the box: 6, and remembered", async () => {
		const rig = withoutTranscript();
		rig.repl.set({ shows: false });
		rig.afterEnter(() => {
			rig.repl.window.pane.screen = `❯ ${EMIT.split("\n").join("\n  ")}`;
		});
		expect((await paste(rig)).rc).toBe(6);
		expect(rig.leftover()).toBe(EMIT);
	});

	test("the signature nowhere: 4 after 3 s of looking", async () => {
		const rig = withoutTranscript();
		rig.repl.set({ shows: false });
		expect((await paste(rig)).rc).toBe(4);
		expect(rig.steps.filter((s) => s === "capture").length).toBe(7);
	});

	test("the signature that renders late is waited for", async () => {
		const rig = withoutTranscript();
		rig.repl.set({ shows: false });
		rig.afterEnter(() =>
			rig.doors.clock.after(4000, () => {
				rig.repl.window.pane.history = EMIT.split("\n");
			}),
		);
		expect((await paste(rig)).rc).toBe(0);
	});

	test("an unsigned brief is only ever refused by what is seen, never by what is not", async () => {
		const brief = "=== WATCHER: USAGE-LIMIT RECOVERY (read first) ===\na\nb\nc";
		const unseen = withoutTranscript();
		unseen.repl.set({ shows: false });
		expect(await paste(unseen, brief)).toMatchObject({
			rc: 0,
			confirmed: false,
		});

		const inBox = withoutTranscript();
		inBox.afterEnter(() => {
			inBox.repl.window.pane.screen = `❯ ${brief}`;
		});
		expect((await paste(inBox, brief)).rc).toBe(6);
	});

	test.each([
		["above the last prompt row", "> the sig here\nanswer\n❯ \n", "shown"],
		["on the last prompt row", "❯ the sig here\n", "in-box"],
		["below it", "❯ [Pasted\n  the sig here\n", "in-box"],
		[
			"above and below: it is in the box",
			"the sig here\n❯ the sig here\n",
			"in-box",
		],
		["no prompt row at all", "text\nthe sig here\n", "shown"],
		["nowhere", "text\n❯ \n", "absent"],
		["broken over two indented rows", "> the\n  sig he\n  re\n❯ \n", "shown"],
	] as const)("a needle %s", (_where, capture, wanted) => {
		expect(sightingOf(capture, "the sig here")).toBe(wanted);
	});
});

describe("a delivery", () => {
	test("starts the clock of the orchestrator's answer, touches the pin, ends a deferral", async () => {
		const rig = makeRig();
		rig.doors.files.seed(PIN, `${SESSION}\n`, { mtime: 1 });
		await paste(rig);
		expect(rig.doors.files.text(LAST_PASTE)).toMatch(/^\d{10}\n$/);
		expect(rig.doors.files.text(PIN)).toBe(`${SESSION}\n`);
		const pin = rig.doors.files.stat(PIN);
		expect(pin.kind === "ok" && pin.stat.mtimeMs).toBeGreaterThan(
			1_700_000_000_000,
		);
		expect(rig.reset).toEqual([TARGET]);
		expect(rig.deferred).toEqual([]);
	});

	test("never makes a pin, and does not touch an empty one", async () => {
		const rig = makeRig();
		await paste(rig);
		expect(rig.doors.files.has(PIN)).toBe(false);
		rig.doors.files.seed(PIN, "", { mtime: 1 });
		await paste(rig);
		const pin = rig.doors.files.stat(PIN);
		expect(pin.kind === "ok" && pin.stat.mtimeMs).toBe(1000);
	});

	test("without a liveness stamp, or to another window, starts no clock", async () => {
		const quiet = makeRig();
		await paste(quiet, EMIT, { stamp: "no-liveness-stamp" });
		expect(quiet.doors.files.has(LAST_PASTE)).toBe(false);

		const worker = makeRig();
		worker.repl.window.name = "worker";
		expect((await paste(worker, EMIT, { window: "worker" })).rc).toBe(0);
		expect(worker.doors.files.has(LAST_PASTE)).toBe(false);
		expect(worker.reset).toEqual(["worker"]);
	});

	test("that failed does none of this; a draft is noted", async () => {
		const rig = makeRig();
		rig.repl.humanTypes("let me think");
		expect((await paste(rig)).rc).toBe(7);
		expect(rig.deferred).toEqual([TARGET]);
		expect(rig.reset).toEqual([]);
		expect(rig.doors.files.has(LAST_PASTE)).toBe(false);
	});

	test("finds the session by the pin when no live session file tells", async () => {
		const rig = withoutTranscript();
		rig.doors.files.seed(PIN, `${SESSION}\n`);
		expect(await paste(rig)).toMatchObject({ rc: 0, confirmed: true });
	});
});

describe("with a retry", () => {
	test("a buffer that failed to load once: 3, then delivered", async () => {
		const rig = makeRig();
		rig.doors.tmux.fail("load-buffer", REFUSED, 1);
		expect((await pasteRetrying(rig)).rc).toBe(0);
		expect(rig.repl.sent).toEqual([EMIT]);
	});

	test("a pane that cannot be read stays 3 after one more try", async () => {
		const rig = makeRig();
		rig.repl.set({ script: [NO_PICTURE] });
		expect((await pasteRetrying(rig)).rc).toBe(3);
		expect(rig.steps.filter((step) => step === "panes")).toHaveLength(2);
		expect(rig.keys()).toEqual([]);
	});

	test("no sign of it: one more copy, one Enter each, then 4", async () => {
		const rig = withoutTranscript();
		rig.repl.set({ shows: false });
		expect((await pasteRetrying(rig)).rc).toBe(4);
		expect(rig.repl.enters).toBe(2);
	});

	test.each([
		[
			"a record that came late",
			(rig: Rig) =>
				rig.repl.record({
					type: "user",
					promptSource: "typed",
					message: { content: EMIT },
				}),
		],
		[
			"a signature that came late",
			({ repl }: Rig) => {
				repl.window.pane.history = EMIT.split("\n");
			},
		],
	] as const)(
		"%s is a delivery, and no second copy is pasted",
		async (_what, arrives) => {
			const rig = makeRig();
			rig.repl.set({ records: false, shows: false });
			let captures = 0;
			rig.onStep((step) => {
				if (step === "capture" && ++captures === 7)
					rig.doors.clock.after(100, () => arrives(rig));
			});
			expect((await pasteRetrying(rig)).rc).toBe(0);
			expect(rig.repl.window.pane.pastes).toHaveLength(1);
			expect(rig.reset).toEqual([TARGET]);
			expect(rig.doors.files.has(LAST_PASTE)).toBe(true);
		},
	);

	test.each([
		["a draft in the box", 6, ({ repl }: Rig) => repl.humanTypes("hm"), null],
		[
			"a box that cannot be read",
			6,
			({ repl }: Rig) => repl.set({ script: [{ input: "?" }] }),
			null,
		],
		[
			"our own text in the box, drawn late,",
			6,
			({ repl }: Rig) => repl.set({ box: [{ text: EMIT, pasted: true }] }),
			EMIT,
		],
		[
			"an overlay",
			7,
			({ repl }: Rig) => repl.set({ overlay: "permission" }),
			null,
		],
	] as const)(
		"%s after the first try: %i, no second copy, and remembered where it is ours",
		async (_what, rc, happens, remembered) => {
			const rig = withoutTranscript();
			rig.repl.set({ shows: false });
			let captures = 0;
			rig.onStep((step) => {
				if (step === "capture" && ++captures === 7)
					rig.doors.clock.after(100, () => happens(rig));
			});
			const what = rc === 6 ? "text in the box" : "overlay";
			const outcome = `${what} after the first try`;
			expect(await pasteRetrying(rig)).toMatchObject({ rc, outcome });
			expect(rig.repl.window.pane.pastes).toHaveLength(1);
			expect(rig.leftover()).toBe(remembered);
		},
	);

	test.each([
		[
			"2",
			({ repl }: Rig) => {
				repl.window.name = "gone";
			},
		],
		[
			"5",
			({ repl }: Rig) => {
				repl.window.pane.dead = "1";
			},
		],
		["6", ({ repl }: Rig) => repl.set({ holds: 99 })],
		["7", ({ repl }: Rig) => repl.set({ overlay: "askuq" })],
	] as const)("rc %s is never retried", async (rc, happens) => {
		const rig = makeRig();
		happens(rig);
		expect((await pasteRetrying(rig)).rc).toBe(Number(rc) as never);
		expect(
			rig.doors.log.messages().filter((m) => m.includes("once more")),
		).toEqual([]);
	});

	test("an abort is not followed by another try", async () => {
		const rig = makeRig();
		const result = await pasteRetrying(rig, EMIT, {
			signal: AbortSignal.abort(),
		});
		expect(result.rc).toBe(3);
		expect(rig.keys()).toEqual([]);
	});
});

test("every end of the primitive has its paste rc", () => {
	const rcOf = (outcome: DeliverOutcome) =>
		pasteRcOf({ outcome, rc: DELIVER_RC[outcome] });
	const outcomes = Object.keys(DELIVER_RC) as DeliverOutcome[];
	expect(Object.fromEntries(outcomes.map((o) => [o, rcOf(o)]))).toEqual({
		submitted: 0,
		"submitted-after-retry": 0,
		suspended: 5,
		queued: 0,
		"queued-after-retry": 0,
		"left-in-box": 0,
		"clean-failed": 3,
		"tmux-failed": 3,
		aborted: 3,
		"undecidable-box": 6,
		unverifiable: "check-signature",
		"in-flight": "check-signature",
		"blocked-before-paste": 7,
		"occupied-before-paste": 7,
		"unreadable-before-paste": 3,
		"blocked-after-paste": 6,
		blocked: 6,
		held: 6,
		inert: "check-signature",
		"no-agent": 5,
		"dead-pane": 5,
		"pane-unknown": 3,
	});
	expect(
		pasteRcOf({ outcome: "tmux-failed", rc: 1, failStep: "send-keys-enter" }),
	).toBe(6);
});
