import { beforeEach, describe, expect, test } from "bun:test";
import type { TextEnd } from "../../monitor/_fleet/hands.ts";
import { textVerdict } from "../../monitor/_fleet/verdict.ts";
import { type LocalRig, localRig, TARGET } from "./local-rig.ts";

let rig: LocalRig;
beforeEach(() => {
	rig = localRig();
});
const keys = () => rig.repl.window.pane.keys;

describe("a draft in the box", () => {
	beforeEach(() => rig.repl.humanTypes("hello"));

	test("is left alone by text and by keys", async () => {
		const fleet = rig.open("a");
		const text = await fleet.sendText(TARGET, "go on");
		expect(text).toMatchObject({ exitCode: 3, verdict: "withheld" });
		expect(text.detail).toContain("nothing typed");
		const pressed = await fleet.sendKeys(TARGET, ["Enter"]);
		expect(pressed).toEqual({
			exitCode: 3,
			verdict: "withheld",
			detail: "a draft is in the composer (nothing sent)",
		});
		expect(rig.repl.sent).toEqual([]);
		expect(keys()).toEqual([]);
	});
});

test.each([
	[{}, 50],
	[{ lines: 7 }, 7],
])(
	"a look at a pane with %j takes %i lines of its history",
	async (o, history) => {
		const fleet = rig.open("a");
		rig.doors.tmux.calls.length = 0;
		expect(await fleet.capture(TARGET, o)).toMatchObject({ ok: true });
		await fleet.captureDoc(TARGET, o);
		const looks = rig.doors.tmux.calls.flatMap((call) =>
			call.op === "capture" ? [call.opts] : [],
		);
		// Joined lines for whoever reads, the grid for whoever measures.
		expect(looks).toEqual([
			{ escapes: false, history },
			{ escapes: true, history },
		]);
	},
);

describe("keys into a dialog", () => {
	beforeEach(() => rig.repl.set({ overlay: "permission" }));

	test("go out one by one, and no Enter is added", async () => {
		const done = await rig.open("a").sendKeys(TARGET, ["Down", "1"]);
		expect(done).toMatchObject({ exitCode: 0, detail: "sent Down,1" });
		expect(keys()).toEqual(["Down", "1"]);
	});

	test("that closes after the first stop before the Enter", async () => {
		const { pane } = rig.repl.window;
		pane.onKey = (key) => {
			if (key === "Down") rig.repl.set({ overlay: null });
		};
		const done = await rig.open("a").sendKeys(TARGET, ["Down", "Enter"]);
		expect(done).toEqual({
			exitCode: 3,
			verdict: "withheld",
			detail: "no dialog is up any more (sent Down)",
		});
		expect(keys()).toEqual(["Down"]);
	});

	test("stop before an Enter when another one is up", async () => {
		rig.repl.window.pane.onKey = () => rig.repl.set({ overlay: "rate-limit" });
		const done = await rig.open("a").sendKeys(TARGET, ["Down", "Enter"]);
		expect(done.exitCode).toBe(3);
		expect(done.detail).toBe("another dialog is up (sent Down)");
		expect(keys()).toEqual(["Down"]);
	});

	test.each([
		[null, "no dialog is up any more"],
		["rate-limit", "another dialog is up"],
	] as const)(
		"stop before a digit, too, when what they were chosen for is %p",
		async (overlay, why) => {
			rig.repl.window.pane.onKey = () => rig.repl.set({ overlay });
			const done = await rig.open("a").sendKeys(TARGET, ["Down", "1"]);
			expect(done).toMatchObject({ exitCode: 3, detail: `${why} (sent Down)` });
			expect(keys()).toEqual(["Down"]);
		},
	);

	test("end with an Enter when it still stands", async () => {
		const done = await rig.open("a").sendKeys(TARGET, ["Down", "Enter"]);
		expect(done.exitCode).toBe(0);
		expect(keys()).toEqual(["Down", "Enter"]);
	});

	test.each([[["Entre"]], [["1", "ab"]], [[""]], [["\n"]], [[]]])(
		"%j holds a word that is no key: nothing is sent",
		async (words) => {
			const done = await rig.open("a").sendKeys(TARGET, words);
			expect(done).toMatchObject({ exitCode: 2, verdict: "usage" });
			expect(keys()).toEqual([]);
		},
	);
});

test("a pane that cannot be read gets no key", async () => {
	rig.repl.set({ script: [{ kind: "unreadable", reason: "torn" }] });
	const done = await rig.open("a").sendKeys(TARGET, ["1"]);
	expect(done).toMatchObject({ exitCode: 4, verdict: "unknown" });
	expect(keys()).toEqual([]);
});

test("tmux that cannot be asked is no dead pane", async () => {
	rig.doors.tmux.fail("panes", { kind: "hung" });
	const fleet = rig.open("a");
	expect((await fleet.sendKeys(TARGET, ["1"])).exitCode).toBe(4);
	expect((await fleet.sendText(TARGET, "x")).exitCode).toBe(4);
	expect((await fleet.member(TARGET)).kind).toBe("unreachable");
	expect((await fleet.send(TARGET, "x")).kind).toBe("unreachable");
	expect(keys()).toEqual([]);
});

describe("text", () => {
	test("arrives whole, and its semicolon with it", async () => {
		const done = await rig.open("a").sendText(TARGET, "fix it;");
		expect(done).toMatchObject({ exitCode: 0, verdict: "delivered" });
		expect(rig.repl.sent.map((text) => text.trimEnd())).toEqual(["fix it;"]);
		expect(rig.repl.wrongs).toEqual([]);
	});

	test("that looks like a command is guarded, unless one is meant", async () => {
		const fleet = rig.open("a");
		await fleet.sendText(TARGET, "/compact now");
		expect(rig.repl.sent.at(-1)).toStartWith("Message: /compact now");
		const { pane } = rig.repl.window;
		const paste = pane.onPaste;
		pane.onPaste = (text, to) => {
			paste(text, to);
			rig.repl.set({ menu: "/compact" });
		};
		const done = await fleet.sendText(TARGET, "/compact", { command: true });
		expect(done.exitCode).toBe(0);
		expect(rig.repl.sent.at(-1)).toBe("/compact");
	});

	test("for a program without a transcript is proved by a picture that changed", async () => {
		const other = rig.doors.tmux.window("codex-1", "> ");
		const [row] = rig.doors.tmux.model
			.rows()
			.filter((r) => r.windowName === "codex-1");
		if (row === undefined) throw new Error("no pane");
		const send = (text: string) =>
			rig.ctx.hands.deliver({
				pane: row,
				window: "codex-1",
				text,
				command: false,
				runtime: "codex",
			});
		other.pane.onKey = (key, pane) => {
			if (key === "Enter") pane.screen += "\n> ";
		};
		expect(await send("hello")).toEqual({ outcome: "submitted" });
		expect(other.pane.pastes).toEqual(["hello"]);
		other.pane.onKey = () => {};
		other.pane.onPaste = () => {};
		expect((await send("again")).outcome).toBe("unverifiable");
		other.pane.screen = "Would you like to run the following command?";
		expect((await send("third")).outcome).toBe("blocked-before-paste");
		expect(other.pane.pastes).toEqual(["hello", "again"]);
	});
});

test.each([
	["submitted", 0],
	["queued-after-retry", 0],
	["no-agent", 1],
	["dead-pane", 1],
	["clean-failed", 1],
	["tmux-failed", 1],
	["busy", 3],
	["blocked-before-paste", 3],
	["occupied-before-paste", 3],
	["blocked-after-paste", 3],
	["pane-unknown", 4],
	["unreadable-before-paste", 4],
	["unverifiable", 4],
	["held", 4],
	["inert", 4],
	["blocked", 4],
] as const)("a delivery that ends %s exits %p", (outcome, exitCode) => {
	expect(textVerdict({ outcome }).exitCode).toBe(exitCode);
});

test("an Enter that tmux refused may have been heard", () => {
	const end: TextEnd = { outcome: "tmux-failed", failStep: "send-keys-enter" };
	expect(textVerdict(end).exitCode).toBe(4);
});
