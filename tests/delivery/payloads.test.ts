import { describe, expect, test } from "bun:test";
import { FILE, makeRig, TARGET } from "./rig.ts";

const LINES = "a line of some length\n".repeat(1400);
const LONG = "x".repeat(30_000);

describe("what arrives in the pane, with one Enter, when the file holds", () => {
	test.each([
		[
			"the end of a bracketed paste, an Enter and other controls",
			"echo a\x1b[201~\rwhoami\u009b\0\x07\x7f",
			"echo a[201~\nwhoami",
		],
		["only a semicolon", ";", "; "],
		["a semicolon at the end", "run a; run b;", "run a; run b;"],
		["a line separator", "one\u2028two", "one\ntwo"],
		["a shell line", "!rm -rf x", "Message: !rm -rf x"],
		["a memory note", "#remember it", "Message: #remember it"],
		["a file mention", "@README.md look", "Message: @README.md look"],
		["a command", "/status", "Message: /status "],
		["a last word that opens a menu", "ask @alice", "ask @alice "],
		["a path at the end", "see /etc/hosts", "see /etc/hosts "],
		[
			"the beginning of an emoji's name",
			"well done :smile",
			"well done :smile ",
		],
		["a backslash at the end", "cd C:\\dir\\", "cd C:\\dir\\ "],
		["a plain word at the end", "all is well.", "all is well."],
		["a word that ends the agent", "exit", "Message: exit"],
		["such a word in a text that collapses", "a\nb\nc\nd @x", "a\nb\nc\nd @x"],
		["invisible characters", "a\u200bb\u00adc", "abc"],
		["a leading dash", "-t other", "-t other"],
		["30 KB of lines", LINES, LINES],
		["30 KB in one line", LONG, LONG],
		[
			"no ASCII at all",
			"おはようございます、みなさん",
			"おはようございます、みなさん",
		],
	])("%s", async (_what, raw, wanted) => {
		const { deliver, doors, repl } = makeRig();
		expect((await deliver(raw)).rc).toBe(0);
		expect(repl.window.pane.pastes).toEqual([wanted]);
		expect(repl.enters).toBe(1);
		expect(doors.files.text(FILE)).toBe(raw);
	});
});

describe("a text that is shown in full, but may be taller than the box,", () => {
	test.each([
		["in a small pane", 80, 24, `${"some words ".repeat(30)}end`],
		["of wide letters", 80, 24, "日本語のテキスト".repeat(16)],
		["in a tiny pane", 40, 12, "two\nlines"],
		["in a narrow pane", 30, 40, `${"some words ".repeat(20)}end`],
	])("%s is made to collapse", async (_what, width, height, raw) => {
		const { deliver, repl } = makeRig();
		Object.assign(repl.window.pane, { width, height });
		expect((await deliver(raw)).rc).toBe(0);
		expect(repl.window.pane.pastes).toEqual([`${raw}\n\n\n`]);
	});

	test.each([
		["in an ordinary pane", 160, 45, "some words ".repeat(60).trim()],
		["when it is short", 80, 24, "status, please"],
	])("%s needs no help", async (_what, width, height, raw) => {
		const { deliver, repl } = makeRig();
		Object.assign(repl.window.pane, { width, height });
		await deliver(raw);
		expect(repl.window.pane.pastes).toEqual([raw]);
	});

	test("left behind so, it is known again in a pane of another size", async () => {
		const rig = makeRig();
		const raw = "some words ".repeat(30).trim();
		rig.repl.set({ box: [{ text: `${raw}\n\n\n`, pasted: true }] });
		rig.seedLeftover(`${raw}\n\n\n`);
		expect((await rig.deliver(raw)).rc).toBe(0);
		expect(rig.repl.sent).toEqual([`${raw}\n\n\n`]);
	});
});

test("a command that the caller asked for goes in bare, through the menu that shows exactly it", async () => {
	const { afterPaste, deliver, repl } = makeRig();
	afterPaste(() => repl.set({ menu: "/status" }));
	expect((await deliver("/status", { command: true })).rc).toBe(0);
	expect(repl.sent).toEqual(["/status"]);
});

test("a command is not proven by another prompt that is written down late", async () => {
	const { afterEnter, deliver, repl } = makeRig();
	repl.set({ records: false });
	afterEnter(() =>
		repl.record({
			type: "user",
			promptSource: "typed",
			message: { content: "an earlier prompt" },
		}),
	);
	expect((await deliver("/status", { command: true })).rc).toBe(3);
});

test("a command whose menu has another entry selected gets no Enter", async () => {
	const { afterPaste, deliver, repl } = makeRig();
	afterPaste(() => repl.set({ menu: "/statusline" }));
	const result = await deliver("/status", { command: true });
	expect(result).toMatchObject({ rc: 4, reason: "menu" });
	expect(repl.enters).toBe(0);
});

test.each(["", " \n\t\n", "\x1b\0"])(
	"nothing visible in %p: nothing is pasted",
	async (raw) => {
		const { deliver, keys } = makeRig();
		const result = await deliver(raw);
		expect(result).toMatchObject({ rc: 1, outcome: "clean-failed" });
		expect(keys()).toEqual([]);
	},
);

test("a file that is not there is a failure of the cleaning", async () => {
	const { deliver, doors, keys } = makeRig();
	doors.files.faults.fail({ path: FILE, ops: ["read"], code: "EIO" });
	expect((await deliver()).outcome).toBe("clean-failed");
	expect(keys()).toEqual([]);
});

test("removed bytes are counted and logged", async () => {
	const { deliver, doors } = makeRig();
	expect((await deliver("hello\0 there, you")).cleanedBytes).toBe(1);
	expect(doors.log.messages()).toContain(
		`paste window=${TARGET} cleaned: 1 bytes removed`,
	);
});
