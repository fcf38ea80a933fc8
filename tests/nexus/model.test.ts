import { describe, expect, test } from "bun:test";
import { readModelRequest } from "../../monitor/_nexus/demo/model/request.ts";
import {
	chooseReply,
	type ModelScript,
} from "../../monitor/_nexus/demo/model/script.ts";
import { blockEvents } from "../../monitor/_nexus/demo/model/wire.ts";

const user = (...texts: string[]) => ({
	role: "user",
	content: texts.map((text) => ({ type: "text", text })),
});
const assistant = { role: "assistant", content: [] };
const toolResult = { role: "user", content: [{ type: "tool_result" }] };
const reminder = "<system-reminder>\nbe good\n</system-reminder>";
const body = (...messages: object[]) => ({
	model: "m",
	stream: true,
	tools: [{ name: "Bash" }],
	messages,
});

describe("what a request says", () => {
	const rows: [string, object[], string | null, number][] = [
		["a first prompt", [user(reminder, "hi")], "hi", 0],
		["after one tool call", [user("hi"), assistant, toolResult], "hi", 1],
		[
			"a second prompt starts anew",
			[user("hi"), assistant, user("more")],
			"more",
			0,
		],
		["messages queued together", [user("one", "two", reminder)], "one\ntwo", 0],
		["a plain string", [{ role: "user", content: "plain" }], "plain", 0],
		["only reminders", [user(reminder)], null, 0],
	];
	test.each(rows)("%s", (_, messages, prompt, step) => {
		const read = readModelRequest(body(...messages), null);
		expect(read).toMatchObject({ prompt, step, auxiliary: false });
	});

	test("a foreign body is no request", () => {
		for (const foreign of [null, [], "text", {}, { messages: "none" }])
			expect(readModelRequest(foreign, null)).toBeNull();
	});
});

describe("what the script answers", () => {
	const script: ModelScript = {
		rules: [
			{ when: "build", replies: [{ kind: "text", text: "first" }] },
			{ when: "b", replies: [{ kind: "text", text: "second" }] },
		],
		otherwise: "otherwise",
	};
	const rows: [string, number, string][] = [
		["please build", 0, "first"],
		["about", 0, "second"],
		["please build", 1, "otherwise"],
		["nothing", 0, "otherwise"],
	];
	test.each(rows)("%s at step %i", (said, step, text) => {
		const read = readModelRequest(
			body(user(said), ...Array(step).fill(assistant)),
			null,
		);
		expect(chooseReply(script, read!)).toEqual({ kind: "text", text });
	});

	test("replies can be made of what a pattern caught", () => {
		const read = readModelRequest(body(user("look: issue=4 id=91")), null);
		const echo: ModelScript = {
			rules: [
				{
					when: /issue=(\d+) id=(\d+)/,
					replies: (issue, id) => [{ kind: "text", text: `${id} of ${issue}` }],
				},
			],
			otherwise: "otherwise",
		};
		expect(chooseReply(echo, read!)).toEqual({
			kind: "text",
			text: "91 of 4",
		});
	});

	test("a rule in words takes them as they stand", () => {
		const read = readModelRequest(body(user("what")), null);
		const rules = [
			{ when: "wh.t", replies: [{ kind: "text", text: "no" } as const] },
		];
		expect(chooseReply({ rules, otherwise: "yes" }, read!)).toEqual({
			kind: "text",
			text: "yes",
		});
	});

	test("a call without tools gets an answer that fits its schema", () => {
		const schema = {
			type: "object",
			properties: {
				title: { type: "string" },
				tags: { type: "array" },
				mood: { enum: ["good", "bad"] },
				sure: { type: "boolean" },
			},
		};
		const output_config = { format: { type: "json_schema", schema } };
		const read = readModelRequest(
			{ messages: [user("build")], output_config },
			null,
		);
		expect(chooseReply(script, read!)).toEqual({
			kind: "text",
			text: '{"title":"ok","tags":[],"mood":"good","sure":false}',
		});
	});
});

test("the pieces of a streamed text put together are the text, blanks and newlines included", () => {
	const text = "  one\n\n  two\tthree \n";
	const pieces = blockEvents({ type: "text", text }, 0)
		.map((event) => JSON.parse(event.split("data: ")[1]!))
		.flatMap((e) => (e.delta ? [e.delta.text] : []));
	expect(pieces.join("")).toBe(text);
	expect(pieces.length).toBe(3);
});
