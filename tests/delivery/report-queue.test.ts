/** A report that waits behind a turn is told only when a turn takes it: Claude Code's queue dies with its process. */
import { describe, expect, test } from "bun:test";
import {
	followWaiting,
	neverTaken,
	stillWaiting,
	untaken as untakenOf,
} from "../../monitor/_delivery/report-queue.ts";
import { followSessions } from "../../monitor/_delivery/session-reports.ts";
import { fakeDoors } from "../fakes/doors.ts";

const SID = "0b9f1c52-6a3e-4c1d-9f55-0d7c2a1b3e44";
const SIGNATURE = "nexus-emit-sig 2026-01-01T12:00:00+00:00 a1b2c3";
const REPORT = `=== nexus state changed ===\n--- ${SIGNATURE} ---`;
const OTHER = REPORT.replace("a1b2c3", "d4e5f6");

const untaken = (records: readonly unknown[]) =>
	untakenOf(records).map(({ signature }) => signature);

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

test("since when it waits is what its record says, and the first of several counts", () => {
	const at = (timestamp: unknown) => ({ ...enqueue(REPORT), timestamp });
	for (const [records, queuedAt] of [
		[[at("2026-01-01T12:00:00.500Z")], 1_767_268_800.5],
		[[at("2026-01-01T12:00:00Z"), at("2026-01-01T13:00:00Z")], 1_767_268_800],
		[[at(7)], null],
		[[at("soon")], null],
	] as const)
		expect(untakenOf(records)).toEqual([{ signature: SIGNATURE, queuedAt }]);
});

describe("what waits in a session", () => {
	const path = (sid: string) => `/home/op/.claude/projects/-work/${sid}.jsonl`;
	const lines = (...records: unknown[]) =>
		records.map((record) => `${JSON.stringify(record)}\n`).join("");
	const waiting = (...ids: string[]) => {
		const sessions = followSessions()(doors, ids)?.values() ?? [];
		const lost = neverTaken([...sessions].flat());
		return lost.map(({ signature }) => signature);
	};
	const doors = fakeDoors({ proc: { env: { HOME: "/home/op" } } });

	test("is read from its transcript, a torn last line left out; without one there is nothing to tell", () => {
		expect(waiting(SID)).toEqual([]);
		doors.files.seed(
			path(SID),
			`${lines(enqueue(REPORT))}${JSON.stringify(prompt(REPORT)).slice(0, -9)}`,
		);
		expect(waiting(SID)).toEqual([SIGNATURE]);
	});

	test("waits no more when the session after it was told of it", () => {
		const next = SID.replace("0b", "1c");
		doors.files.seed(path(SID), lines(enqueue(REPORT)));
		doors.files.seed(path(next), lines(prompt(`- /x.md (${SIGNATURE})`)));
		expect(waiting(SID, next)).toEqual([]);
		expect(waiting(SID)).toEqual([SIGNATURE]);
	});

	test("is looked for at the end of a long transcript alone", () => {
		const filler = lines({ type: "x", text: "y".repeat(1024 * 1024) });
		doors.files.seed(path(SID), lines(enqueue(REPORT)) + filler);
		expect(followWaiting()(doors, SID)).toEqual([]);
		expect(waiting(SID)).toEqual([SIGNATURE]);
		doors.files.seed(path(SID), filler + lines(enqueue(REPORT)));
		expect(followWaiting()(doors, SID)).toHaveLength(1);
	});

	test("is nothing that one who follows it knows while its folders cannot be listed", () => {
		const look = followWaiting();
		doors.files.seed(path(SID), lines(enqueue(REPORT)));
		const heal = doors.files.faults.fail({
			path: /projects$/,
			ops: ["list"],
			code: "EACCES",
		});
		expect(look(doors, SID)).toEqual([]);
		heal();
		expect(look(doors, SID)).toHaveLength(1);
	});

	test("is known at each look of one who follows it, whether it came before the first or after it", () => {
		const look = followWaiting();
		const signatures = () =>
			look(doors, SID).map(({ signature }) => signature.slice(-6));
		const filler = lines({ type: "x", text: "y".repeat(1024 * 600) });
		doors.files.seed(path(SID), filler + lines(enqueue(REPORT)));
		expect(signatures()).toEqual(["a1b2c3"]);
		doors.files.append(path(SID), filler);
		expect(signatures()).toEqual(["a1b2c3"]);
		doors.files.append(path(SID), filler + lines(enqueue(OTHER)));
		expect(signatures()).toEqual(["a1b2c3", "d4e5f6"]);
		doors.files.append(path(SID), lines(midTurn(REPORT)));
		expect(signatures()).toEqual(["d4e5f6"]);
		// A person who takes his own words out of the queue takes the rest with them.
		doors.files.append(
			path(SID),
			lines({ type: "queue-operation", operation: "popAll" }),
		);
		expect(signatures()).toEqual([]);
	});
});

test.each([
	["nothing moved the queue since", [], true],
	["a person took it out, to edit it", [{ operation: "popAll" }], false],
	["the turn took one of it", [{ operation: "dequeue" }], false],
	[
		"it came after that",
		[{ operation: "remove", content: REPORT }, enqueue(REPORT)],
		true,
	],
] as const)(
	"a report waits behind the turn that runs when %s: %p",
	(_when, after, waits) => {
		const records = [enqueue(REPORT), ...after].map((record) => ({
			type: "queue-operation",
			...record,
		}));
		expect(stillWaiting(records)).toHaveLength(waits ? 1 : 0);
	},
);
