/** What a classifier is shown of a pane: bounded, and without secrets (contract 09 §13). */
import { describe, expect, test } from "bun:test";
import { boundState } from "../../monitor/_fleet/jev/bounds.ts";
import { redact, redactText } from "../../monitor/_fleet/jev/redact.ts";
import { docJson } from "../../monitor/_fleet/jev/state.ts";
import { state } from "./jev-answers.ts";

describe("bounds", () => {
	test("the last thirty lines stay, and suggestions keep their lines", () => {
		const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`);
		const bounded = boundState({
			...state(lines),
			ghostLines: [9, 10, 12, 39, 40],
		});
		expect(bounded.truncated).toBe(true);
		expect(bounded.state.lines).toEqual(lines.slice(10));
		expect(bounded.state.ghostLines).toEqual([0, 2, 29]);
	});

	test.each([
		["x".repeat(140), false, 140],
		["x".repeat(141), true, 140],
		["漢".repeat(70), false, 70],
		["漢".repeat(71), true, 70],
		["e\u0301".repeat(140), false, 280],
		["e\u0301".repeat(141), true, 280],
	])("%s is clipped: %p", (line, truncated, length) => {
		const bounded = boundState(state([line]));
		expect(bounded.truncated).toBe(truncated);
		expect(bounded.state.lines[0]?.length).toBe(length);
	});

	test("the document on the disk holds the last lines that are not padding", () => {
		const lines = [...Array.from({ length: 40 }, (_, n) => `${n}`), "", " "];
		const doc = {
			agent: "a",
			ok: true,
			lines,
			lineCount: 42,
			footer: null,
			ghostLines: [11, 5],
		};
		expect(docJson(doc, 30)).toMatchObject({
			line_count: 30,
			lines: lines.slice(10, 40),
			ghost_lines: [1],
		});
	});
});

describe("redaction", () => {
	const KEY =
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n-----END OPENSSH PRIVATE KEY-----";
	test.each([
		[`before\n${KEY}\nafter`, "before\n[REDACTED_SECRET]\nafter", true],
		["x\n-----BEGIN RSA PRIVATE KEY-----\nMIIE", "x\n[REDACTED_SECRET]", true],
		[
			"b3Bl\n-----END PRIVATE KEY-----\nafter",
			"[REDACTED_SECRET]\nafter",
			true,
		],
		["export GITHUB_TOKEN=ghp_1", "[REDACTED_SECRET]", true],
		["  password: hunter2hunter2", "[REDACTED_SECRET]", true],
		['"api_key": "abcdefghij"', "[REDACTED_SECRET]", true],
		[
			"↓ 2.1k tokens · esc to interrupt",
			"↓ 2.1k tokens · esc to interrupt",
			false,
		],
		[
			"Authorization: Bearer abcdefghijklmnop",
			"Authorization: [REDACTED_SECRET]",
			false,
		],
		[`key sk-${"a".repeat(20)} ok`, "key [REDACTED_SECRET] ok", false],
		[`tskey-${"b".repeat(16)}`, "[REDACTED_SECRET]", false],
		["AKIAABCDEFGHIJKLMNOP", "[REDACTED_SECRET]", false],
		["sk-short", "sk-short", false],
		["cat /home/ana/app/x.ts:3", "cat [REDACTED_LOCAL_PATH]", false],
		[
			"at /Users/ana/x, /private/tmp/y and /var/folders/z",
			"at [REDACTED_LOCAL_PATH], [REDACTED_LOCAL_PATH] and [REDACTED_LOCAL_PATH]",
			false,
		],
		["cd /srv/app/.worktrees/night/src", "cd [REDACTED_LOCAL_PATH]", false],
		["/srv/app/src/home/x", "/srv/app/src/home/x", false],
		["https://example.com/home", "https://example.com/home", false],
	])("%j", (text, expected, isSecret) =>
		expect(redactText(text)).toEqual({ text: expected, isSecret }),
	);

	test("what the program suggests is cleaned too", () => {
		const { state: clean, isSecret } = redact({
			...state(["ok"]),
			composerText: "echo TOKEN=abc",
		});
		expect(clean.composerText).toBe("[REDACTED_SECRET]");
		expect(isSecret).toBe(true);
	});
});
