import { describe, expect, test } from "bun:test";
import { compileMatch, outputLines } from "../../monitor/_fleet/job-lines.ts";
import {
	type JobRules,
	outcomeMessage,
	outcomeOf,
	QUIET_MARKER,
} from "../../monitor/_fleet/job-outcome.ts";

const rules = (part: Partial<JobRules> = {}): JobRules => ({
	name: "j",
	match: /./,
	notifyOnSuccess: false,
	limitBytes: 65_536,
	...part,
});
const NOTHING = /(?!)/;
const body = (exitCode: number, lines: readonly string[], part = {}) =>
	outcomeMessage({ exitCode, output: `${lines.join("\n")}\n` }, rules(part))
		?.body ?? null;

describe("a run's one message", () => {
	test.each([
		[["WARN: batch not complete"], "[WARN] j: matched WARNING"],
		[["WARN: a", "ERROR: b"], "[FAIL] j: matched error pattern"],
		[["FATAL: a"], "[FAIL] j: matched error pattern"],
		[["FAIL: a"], "[FAIL] j: matched error pattern"],
		[["ALERT: a"], "[WARN] j: matched WARNING"],
		[["WARNING: a"], "[WARN] j: matched WARNING"],
	])("%j is labelled, and its lines follow", (lines, label) => {
		expect(body(0, lines)).toBe([label, ...lines].join("\n"));
	});

	test.each([
		[["ALERT-X: a"]],
		[["ERROR : a"]],
		[["error: a"]],
		[[" ERROR: a"]],
		[["a", "b"]],
	])("%j carries no label: verbatim, in order", (lines) => {
		expect(body(0, lines)).toBe(lines.join("\n"));
	});

	test("an exit code that is not 0 fails, with the end of the output and the matched lines", () => {
		const noise = "x".repeat(600);
		const told = body(3, [noise, "hit"], { match: /^hit$/ });
		const tail = `${noise}\nhit`.slice(-500);
		expect(told).toBe(`[FAIL] j: exit code 3\n${tail}\nhit`);
	});

	test("an exit code that is not 0 outranks what the lines say", () => {
		const lines = ["ERROR: a", "WARN: b"];
		expect(body(3, lines)).toStartWith("[FAIL] j: exit code 3\n");
	});

	test.each([
		[true, [], "[OK] j: succeeded"],
		[false, [], null],
		[true, ["a", QUIET_MARKER], null],
		[true, [QUIET_MARKER, "", "  "], null],
		[true, [QUIET_MARKER, "a"], "[OK] j: succeeded"],
	])("nothing matched, notify %p, %j: %p", (notifyOnSuccess, lines, told) => {
		expect(body(0, lines, { match: NOTHING, notifyOnSuccess })).toBe(told);
	});

	test("the quiet marker hides no failure and no match", () => {
		expect(body(1, [QUIET_MARKER], { match: NOTHING })).toStartWith("[FAIL]");
		expect(body(0, ["hit", QUIET_MARKER], { match: /hit/ })).toBe("hit");
	});

	test("empty matched lines are counted", () => {
		expect(body(0, ["", "", "a"], { match: /^/ })).toBe(
			"a\n[matched 2 empty line(s)]",
		);
	});

	test("a message that just fits is whole", () => {
		const lines = ["é".repeat(10), "b"];
		const limitBytes = Buffer.byteLength(lines.join("\n"));
		expect(body(0, lines, { limitBytes })).toBe(lines.join("\n"));
	});

	test("a message keeps its limit, and a line that was dropped still sets the label", () => {
		const lines = [
			...Array.from({ length: 400 }, (_, n) => `line ${n}`),
			"ERROR: last",
		];
		const told = body(0, lines, { limitBytes: 1024 }) ?? "";
		expect(Buffer.byteLength(told)).toBeLessThanOrEqual(1024);
		expect(told).toStartWith("[FAIL] j: matched error pattern\nline 0\n");
		const shown = told.split("\n").length - 2;
		expect(told).toEndWith(`[${401 - shown} more matched lines omitted]`);
	});
});

describe("failures", () => {
	const run = (exitCode: number) => ({ exitCode, output: "" });
	const tell = (exitCode: number, prev: { at: number; code: number } | null) =>
		outcomeOf(
			run(exitCode),
			rules(),
			prev && { exitCode: prev.code, since: prev.at },
			10_000,
		);

	test.each([
		["the first", 3, null, true],
		["the same again", 3, { at: 9000, code: 3 }, false],
		["the same after half an hour", 3, { at: 8200, code: 3 }, true],
		["another exit code", 4, { at: 9000, code: 3 }, true],
		[
			"one that claims to come from the future",
			3,
			{ at: 20_000, code: 3 },
			true,
		],
	])("%s is told or held", (_, exitCode, prev, told) => {
		const done = tell(exitCode, prev);
		expect(done.delivery !== null).toBe(told);
		expect(done.held?.exitCode).toBe(exitCode);
		expect(done.held?.since).toBe(told ? 10_000 : prev?.at);
	});

	test("a success ends the holding", () => {
		expect(tell(0, { at: 9000, code: 3 }).held).toBeNull();
	});
});

describe("output", () => {
	test("is split by line, and a carriage return is dropped", () => {
		expect(outputLines("a\r\nb\r\n\nc")).toEqual(["a", "b", "", "c"]);
		expect(outputLines("")).toEqual([]);
	});

	test.each([
		["x", 2047, false],
		["x", 2048, true],
		["x", 5000, true],
		["ä", 1500, true],
	])("a line of %s × %p is cut: %p", (letter, count, isCut) => {
		const [line = "", note] = outputLines(letter.repeat(count));
		expect(Buffer.byteLength(line)).toBeLessThanOrEqual(2048);
		expect(line).not.toContain("\ufffd");
		expect(note).toBe(
			isCut ? "[line truncated, original length ≥ 2048 bytes]" : undefined,
		);
	});
});

test.each([
	["(?i)error", "ERROR", true],
	["error", "ERROR", false],
	["^watch-tick: (cycle done|RESOLUTION-FAIL)", "watch-tick: cycle done", true],
])("the pattern %s on %s: %p", (pattern, line, hit) => {
	expect(compileMatch(pattern)?.test(line)).toBe(hit);
});

test("a pattern that does not compile is none", () => {
	expect(compileMatch("(")).toBeNull();
});
