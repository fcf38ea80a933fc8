import { describe, expect, test } from "bun:test";
import {
	arrivedWhole,
	classifyRecord,
	deliveredText,
	provesCommand,
	provesDelivery,
	type RecordKind,
} from "../../monitor/_delivery/evidence.ts";

const user = (content: unknown, more: object = {}) => ({
	type: "user",
	promptSource: "typed",
	message: { role: "user", content },
	...more,
});
const enqueue = (content: unknown) => ({
	type: "queue-operation",
	operation: "enqueue",
	content,
});
const NEEDLE = "nexus-emit-sig 2026 a1b2c3";

describe("a record counts as", () => {
	test.each([
		["a typed prompt", user("x"), "submission"],
		[
			"a prompt taken from the queue",
			user("x", { promptSource: "queued" }),
			"submission",
		],
		[
			"a prompt with an image",
			user([{ type: "text", text: "x" }]),
			"submission",
		],
		[
			"an older version's prompt, without a source",
			user("x", { promptSource: undefined }),
			"submission",
		],
		["a prompt put in the queue", enqueue("x"), "enqueue"],
		[
			"nothing: a tool result",
			user([{ type: "tool_result", content: "x" }], {
				promptSource: undefined,
			}),
			null,
		],
		[
			"nothing: a prompt of the program's own",
			user("x", { promptSource: "system" }),
			null,
		],
		["nothing: a prompt of the SDK", user("x", { promptSource: "sdk" }), null],
		["nothing: a note", user("x", { isMeta: true }), null],
		["nothing: a subagent's prompt", user("x", { isSidechain: true }), null],
		[
			"nothing: a subagent's queue",
			{ ...enqueue("x"), isSidechain: true },
			null,
		],
		["nothing: a summary", user("x", { isCompactSummary: true }), null],
		[
			"nothing: what left the queue",
			{ type: "queue-operation", operation: "remove", content: "x" },
			null,
		],
		["nothing: a queue entry without text", enqueue([{ text: "x" }]), null],
		[
			"nothing: a line of the program's own",
			{ type: "system", content: "x" },
			null,
		],
		[
			"a prompt whose source is empty, as one without a source",
			user("x", { promptSource: null }),
			"submission",
		],
		[
			"nothing: an answer",
			{ type: "assistant", message: { content: "x" } },
			null,
		],
		["nothing: no object at all", "user", null],
		["nothing: a list", [user("x")], null],
		["nothing: a user record without a message", { type: "user" }, null],
	])("%s", (_rule, record, kind) => {
		expect(classifyRecord(record)).toBe(kind as never);
	});
});

describe("delivery is proven", () => {
	test.each([
		[
			"by a record that holds the needle",
			user(`… ${NEEDLE} …`),
			NEEDLE,
			"submission",
		],
		["by a queue entry that holds it", enqueue(NEEDLE), NEEDLE, "enqueue"],
		[
			"by a record with the needle in one of its blocks",
			user([{ text: "a" }, { text: NEEDLE }]),
			NEEDLE,
			"submission",
		],
		["not by an earlier prompt", user("something else"), NEEDLE, null],
		[
			"not by a tool result that quotes the needle",
			user([{ type: "tool_result", content: NEEDLE }], {
				promptSource: undefined,
			}),
			NEEDLE,
			null,
		],
		["without a needle: by a prompt typed now", user(";"), null, "submission"],
		[
			"without a needle: not by one from the queue, which may be an earlier one",
			user(";", { promptSource: "queued" }),
			null,
			null,
		],
		[
			"without a needle: not by one of no known source",
			user(";", { promptSource: undefined }),
			null,
			null,
		],
		["without a needle: by a queue entry", enqueue(";"), null, "enqueue"],
	])("%s", (_rule, record, needle, kind) => {
		expect(provesDelivery(record, needle)).toBe(kind as never);
	});
});

describe("what was delivered", () => {
	const wrapped = (body: string) =>
		`\n\n<pasted_content id="05f4">\n${body}\n</pasted_content id="05f4">\n`;

	test.each([
		["a short paste stands as it is", user("hello"), "hello"],
		[
			"a collapsed one stands in a wrapper",
			user(wrapped("a\nb\n\nc\nd")),
			"a\nb\n\nc\nd",
		],
		[
			"so does one in the queue",
			enqueue('<pasted_content id="05f4">\na\nb\n</pasted_content id="05f4">'),
			"a\nb",
		],
		[
			"a wrapper without an id",
			user("<pasted_content>\na\n</pasted_content>"),
			"a",
		],
		[
			"a wrapper inside our own text comes back as it was",
			user(
				wrapped('see <\\pasted_content id="1">\nx\n<\\/pasted_content id="1">'),
			),
			'see <pasted_content id="1">\nx\n</pasted_content id="1">',
		],
		[
			"a paste with typed text around it is not unwrapped",
			user(`look: ${wrapped("a")}`),
			`look: ${wrapped("a")}`,
		],
		[
			"nor one with typed text behind it",
			user(`${wrapped("a")} look`),
			`${wrapped("a")} look`,
		],
		[
			"blocks without text do not count",
			user([{ type: "image" }, null, { text: "a" }, { text: "b" }]),
			"a\nb",
		],
		["no text", { type: "user" }, null],
	])("%s", (_rule, record, text) => {
		expect(deliveredText(record)).toBe(text as never);
	});

	test("whole means: every byte, TABs as four blanks, blanks at the very end aside", () => {
		expect(arrivedWhole(user("a    b"), "a\tb\n")).toBe(true);
		expect(arrivedWhole(user(wrapped("a\nb  \n\n")), "a\nb  \n\n\n")).toBe(
			true,
		);
		expect(arrivedWhole(user("a b"), "a\tb")).toBe(false);
		expect(arrivedWhole(user(" a"), "a")).toBe(false);
		expect(arrivedWhole(user("a\nb"), "a\nb\nc")).toBe(false);
	});
});

describe("a command is proven by the record of its name", () => {
	const named = (name: string, more: object = {}) => ({
		type: "user",
		message: {
			content: `<command-name>${name}</command-name>\n<command-args></command-args>`,
		},
		...more,
	});
	test.each<[string, unknown, RecordKind | null]>([
		["its own", named("/compact"), "submission"],
		[
			"one that the program wrote",
			{ type: "system", content: "<command-name>/compact</command-name>" },
			"submission",
		],
		["another's", named("/clear"), null],
		["a subagent's", named("/compact", { isSidechain: true }), null],
		[
			"a prompt",
			{ type: "user", promptSource: "typed", message: { content: "hello" } },
			null,
		],
		[
			"its entry into the queue",
			{
				type: "queue-operation",
				operation: "enqueue",
				content: "/compact keep it",
			},
			"enqueue",
		],
		[
			"its entry with a blank behind it",
			{
				type: "queue-operation",
				operation: "enqueue",
				content: "/compact keep it ",
			},
			"enqueue",
		],
		[
			"another's entry",
			{ type: "queue-operation", operation: "enqueue", content: "/clear" },
			null,
		],
		[
			"its leaving the queue",
			{
				type: "queue-operation",
				operation: "remove",
				content: "/compact keep it",
			},
			null,
		],
		[
			"an attachment that quotes it",
			{ type: "attachment", content: "<command-name>/compact</command-name>" },
			null,
		],
		["nothing", null, null],
	])("%s", (_what, record, kind) => {
		expect(provesCommand(record, "/compact keep it")).toBe(kind);
	});
});
