/** A report that waits behind a turn is told only when a turn takes it: Claude Code's queue dies with its process. */
import { describe, expect, test } from "bun:test";
import { diedInQueue, untaken } from "../../monitor/_delivery/died-in-queue.ts";
import { fakeDoors } from "../fakes/doors.ts";

const SID = "0b9f1c52-6a3e-4c1d-9f55-0d7c2a1b3e44";
const SIGNATURE = "nexus-emit-sig 2026-01-01T12:00:00+00:00 a1b2c3";
const REPORT = `=== nexus state changed ===\n--- ${SIGNATURE} ---`;
const OTHER = REPORT.replace("a1b2c3", "d4e5f6");

const enqueue = (content: string) => ({
	type: "queue-operation",
	operation: "enqueue",
	content,
});
const prompt = (content: string) => ({
	type: "user",
	promptSource: "queued",
	message: { content },
});
const midTurn = (text: string) => ({
	type: "attachment",
	attachment: { type: "queued_command", prompt: text },
});
const remove = (content: string) => ({
	type: "queue-operation",
	operation: "remove",
	content,
});

describe("a report that was queued", () => {
	for (const [what, records, waits] of [
		["and nothing more has died there", [], true],
		["became a prompt", [prompt(REPORT)], false],
		["was put into a running turn", [remove(REPORT), midTurn(REPORT)], false],
		[
			"was taken off the queue by nobody's turn has died",
			[remove(REPORT)],
			true,
		],
		[
			"became one prompt with another",
			[prompt(`${OTHER}\n${REPORT}\n${OTHER}`)],
			false,
		],
		[
			"was named in a brief",
			[prompt(`   - /s/diffs/x.md (${SIGNATURE})`)],
			false,
		],
		["is not taken by a prompt of another", [prompt(OTHER)], true],
		[
			"is not taken by what a tool printed",
			[
				{
					type: "user",
					toolUseResult: {},
					message: { content: [{ type: "tool_result", content: REPORT }] },
				},
			],
			true,
		],
		["and foreign records", [null, 7, "x", { type: "attachment" }, {}], true],
	] as const)
		test(what, () => {
			expect(untaken([enqueue(REPORT), ...records])).toEqual(
				waits ? [SIGNATURE] : [],
			);
		});

	test("and is wrapped as a paste is known all the same", () => {
		const wrapped = `<pasted_content id="ae67">\n${REPORT}\n</pasted_content id="ae67">`;
		expect(untaken([enqueue(wrapped)])).toEqual([SIGNATURE]);
		expect(untaken([enqueue(wrapped), midTurn(wrapped)])).toEqual([]);
	});
});

test("a person's words in the queue are no report", () => {
	expect(untaken([enqueue("and the tests, too")])).toEqual([]);
});

test("it is read from the session's transcript, a torn last line left out; without one there is nothing to tell", () => {
	const doors = fakeDoors({ proc: { env: { HOME: "/home/op" } } });
	expect(diedInQueue(doors, SID)).toEqual([]);
	doors.files.seed(
		`/home/op/.claude/projects/-work/${SID}.jsonl`,
		`${JSON.stringify(enqueue(REPORT))}\n${JSON.stringify(prompt(REPORT)).slice(0, -9)}`,
	);
	expect(diedInQueue(doors, SID)).toEqual([SIGNATURE]);
});
