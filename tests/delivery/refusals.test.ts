import { describe, expect, test } from "bun:test";
import { REFUSED } from "../fakes/tmux.ts";
import { EMIT, makeRig, NO_PICTURE, type Rig } from "./rig.ts";

describe("before the paste, doubt sends nothing", () => {
	test.each([
		[
			"an overlay",
			{ state: "blocked", overlay: "permission", input: null },
			"blocked-before-paste",
			4,
		],
		[
			"an open menu",
			{ state: "user-typing", input: "typed", menu: true },
			"blocked-before-paste",
			4,
		],
		[
			"typed text, idle",
			{ state: "user-typing", input: "typed" },
			"occupied-before-paste",
			4,
		],
		[
			"typed text, busy",
			{ state: "busy", input: "typed" },
			"occupied-before-paste",
			4,
		],
		[
			"a box that cannot be read, idle",
			{ state: "idle", input: "?" },
			"occupied-before-paste",
			4,
		],
		[
			"a box that cannot be read, busy",
			{ state: "busy", input: "?" },
			"occupied-before-paste",
			4,
		],
		[
			"an unknown state throughout",
			{ state: "unknown" },
			"unreadable-before-paste",
			4,
		],
		[
			"an empty state throughout",
			{ state: "empty" },
			"unreadable-before-paste",
			4,
		],
		["looks that fail throughout", NO_PICTURE, "unreadable-before-paste", 4],
		["a bare shell", { state: "absent" }, "no-agent", 5],
		[
			"another program, provably, throughout",
			{ kind: "unreadable", reason: "live-descendant", isForeign: true },
			"no-agent",
			5,
		],
		[
			"an agent that stands still",
			{ kind: "unreadable", reason: "suspended", isStopped: true },
			"suspended",
			5,
		],
		[
			"a gone agent",
			{ kind: "gone", evidence: "no claude under the pane" },
			"no-agent",
			5,
		],
	] as const)("%s: %#", async (_what, seen, outcome, rc) => {
		const { deliver, keys, leftover, repl } = makeRig();
		repl.set({ script: [seen] });
		expect(await deliver()).toMatchObject({ rc, outcome });
		expect(keys()).toEqual([]);
		expect(leftover()).toBeNull();
	});

	test("a pane that died since it was looked at", async () => {
		const { deliver, keys, onStep, repl } = makeRig();
		let looked = false;
		onStep((step) => {
			if (looked) repl.window.pane.dead = "1";
			looked ||= step === "look";
		});
		expect(await deliver()).toMatchObject({ rc: 5, outcome: "dead-pane" });
		expect(keys()).toEqual([]);
	});

	test.each([
		["says that it is gone", null, 5, "dead-pane"],
		["does not say", REFUSED, 6, "pane-unknown"],
	] as const)(
		"a pane that is in no row any more, and tmux %s",
		async (_what, failure, rc, outcome) => {
			const { deliver, doors, keys, repl } = makeRig();
			doors.tmux.window("another");
			if (failure !== null) doors.tmux.fail("exists", failure);
			// Closed behind the look that let the paste in.
			const { lookAt } = repl;
			Object.assign(repl, {
				lookAt: async (...asked: Parameters<typeof lookAt>) => {
					const seen = await lookAt(...asked);
					doors.tmux.model.closeWindow(repl.window);
					return seen;
				},
			});
			expect(await deliver()).toMatchObject({ rc, outcome });
			expect(keys()).toEqual([]);
		},
	);

	test("an id that is another server's now", async () => {
		const { deliver, doors, keys, repl } = makeRig();
		repl.set({ script: [{}] });
		doors.tmux.after(() => {
			doors.tmux.model.server = { pid: 1234, startTime: 5 };
		});
		expect((await deliver()).outcome).toBe("dead-pane");
		expect(keys()).toEqual([]);
	});

	test("a question for the pane that fails, or is cut short", async () => {
		for (const flag of ["", "2"]) {
			const { deliver, keys, repl } = makeRig();
			repl.set({ script: [{}] });
			repl.window.pane.dead = flag;
			expect(await deliver()).toMatchObject({ rc: 6, outcome: "pane-unknown" });
			expect(keys()).toEqual([]);
		}
	});
});

describe("between paste and Enter", () => {
	test.each([
		[
			"an overlay",
			"overlay",
			({ repl }: Rig) => repl.set({ overlay: "permission" }),
		],
		[
			"a completion menu",
			"menu",
			({ repl }: Rig) => repl.set({ menu: "/status" }),
		],
		[
			"a human who types on",
			"not-ours",
			({ repl }: Rig) => repl.humanTypes(" and me"),
		],
		[
			"a screen that cannot be read",
			"unreadable",
			({ repl }: Rig) => repl.set({ script: [NO_PICTURE] }),
		],
	])(
		"%s: no Enter, and the text is remembered",
		async (_what, reason, happens) => {
			const rig = makeRig();
			rig.afterPaste(() => happens(rig));
			const result = await rig.deliver();
			expect(result).toMatchObject({
				rc: 4,
				outcome: "blocked-after-paste",
				reason,
			});
			expect(rig.repl.enters).toBe(0);
			expect(rig.leftover()).toBe(EMIT);
		},
	);

	test("an overlay ends the waiting, even when it would go again", async () => {
		const { afterPaste, deliver, repl } = makeRig();
		const overlay = { state: "blocked", overlay: "askuq" } as const;
		afterPaste(() => repl.set({ lateLooks: 1, script: [{}, overlay, {}] }));
		expect((await deliver()).reason).toBe("overlay");
		expect(repl.enters).toBe(0);
	});

	test("a pane that died takes the text with it", async () => {
		const { afterPaste, deliver, leftover, repl } = makeRig();
		afterPaste(() => {
			repl.window.pane.dead = "1";
		});
		expect(await deliver()).toMatchObject({ rc: 5, outcome: "no-agent" });
		expect(leftover()).toBeNull();
	});
});
