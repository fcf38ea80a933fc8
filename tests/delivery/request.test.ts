/** What a caller may ask of one delivery beside the plain one (contract 04 §7: `--no-enter`, `--allow-blocked`). */
import { describe, expect, test } from "bun:test";
import { EMIT, makeRig, type Rig } from "./rig.ts";

describe("a text that is to stay in the box", () => {
	test.each<[string, (rig: Rig) => void, object]>([
		["lies there", () => {}, { rc: 0, outcome: "left-in-box" }],
		[
			"lies there under a completion menu",
			({ repl }) => repl.set({ menu: "/status" }),
			{ rc: 0, outcome: "left-in-box" },
		],
		[
			"is not known to lie there under a dialog",
			({ repl }) => repl.set({ overlay: "permission" }),
			{ rc: 4, outcome: "blocked-after-paste", reason: "overlay" },
		],
		[
			"is not known to lie there when somebody typed on",
			({ repl }) => repl.humanTypes("!"),
			{ rc: 4, outcome: "blocked-after-paste", reason: "not-ours" },
		],
		[
			"is gone with its agent",
			({ repl }) => {
				repl.window.pane.dead = "1";
			},
			{ rc: 5, outcome: "no-agent" },
		],
	])("%s, and nothing will send it later", async (_what, happens, end) => {
		const rig = makeRig();
		rig.afterPaste(() => happens(rig));
		expect(await rig.deliver(EMIT, { noEnter: true })).toMatchObject(end);
		expect(rig.repl.enters).toBe(0);
		expect(rig.leftover()).toBeNull();
	});
});

describe("a paste over a dialog", () => {
	const BLOCKED = { state: "blocked", input: null, composer: null } as const;

	test("is made, its Enter is not, and it is remembered", async () => {
		const { deliver, leftover, repl } = makeRig();
		repl.set({ overlay: "permission" });
		expect(await deliver(EMIT, { overDialog: true })).toMatchObject({
			rc: 4,
			outcome: "blocked-after-paste",
			reason: "overlay",
		});
		expect(repl.window.pane.pastes).toEqual([EMIT]);
		expect(repl.enters).toBe(0);
		expect(leftover()).toBe(EMIT);
	});

	test.each([
		["a menu", { menu: true }, "menu"],
		[
			"a dialog with a draft in its box",
			{ ...BLOCKED, overlay: "askuq", input: "typed" },
			"askuq",
		],
		[
			"a dialog with a box that cannot be read",
			{ ...BLOCKED, overlay: "askuq", input: "?" },
			"askuq",
		],
	] as const)("is not made over %s", async (_what, seen, reason) => {
		const { deliver, keys, repl } = makeRig();
		repl.set({ script: [seen] });
		expect(await deliver(EMIT, { overDialog: true })).toMatchObject({
			rc: 4,
			outcome: "blocked-before-paste",
			reason,
		});
		expect(keys()).toEqual([]);
	});

	test.each([
		["a dialog with a name", { ...BLOCKED, overlay: "askuq" }, "askuq"],
		["a dialog without one", { ...BLOCKED, overlay: null }, "overlay"],
		["a menu", { menu: true }, "menu"],
	] as const)(
		"that nobody asked for is refused by %s, which is named",
		async (_what, seen, reason) => {
			const { deliver, keys, repl } = makeRig();
			repl.set({ script: [seen] });
			expect((await deliver()).reason).toBe(reason);
			expect(keys()).toEqual([]);
		},
	);
});
