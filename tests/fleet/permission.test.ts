import { describe, expect, test } from "bun:test";
import { PATTERNS } from "../../monitor/_fleet/permission/patterns.ts";
import { bottomLines } from "../../monitor/_fleet/permission/window.ts";
import {
	denyKeyFor,
	detectPermission,
	isPaneSafeToType,
	isSelectionPrompt,
	isTrustGate,
} from "../../monitor/_fleet/permission.ts";

const rows = (...lines: readonly string[]) => lines.join("\n");
const lines = (count: number, text = "output") =>
	Array.from({ length: count }, (_, n) => `${text} ${n}`);
const blank = (count: number) => Array.from({ length: count }, () => "");

const THREE = rows(
	"⏺ Bash(curl https://example.org)",
	"  ⎿  Do you want to proceed?",
	"    1. Yes",
	"    2. Yes, and don't ask again for Bash(curl)",
	"    3. No, and tell Claude what to do differently (Esc)",
);
const READ_GRANT = rows(
	" Do you want to proceed?",
	" ❯ 1. Yes",
	"   2. Yes, allow reading from plans/ during this session",
	"",
	" Esc to cancel · Tab to amend",
);
const YES_NO = rows(
	" Do you want to proceed?",
	" ❯ 1. Yes",
	"   2. No",
	"",
	" Esc to cancel · Tab to amend",
);

describe("a prompt is looked for", () => {
	const asked = "Do you want to proceed?";
	const isFound = (pane: string) => detectPermission("claude", pane) !== null;
	test.each([
		[13, true],
		[14, false],
	])("on the last 15 lines: %i lines below its option, %p", (below, found) => {
		expect(isFound(rows(asked, "❯ 1. Yes", ...lines(below)))).toBe(found);
	});
	test.each([
		[494, true],
		[495, false],
	])(
		"with its option within 500 characters: %i between, %p",
		(between, found) => {
			expect(isFound(rows(asked, "x".repeat(between), "❯ 1."))).toBe(found);
		},
	);
});

test.each([
	[393, true],
	[394, false],
])(
	"trust is spoken of within 400 characters: %i between, %p",
	(between, is) => {
		const far = "x".repeat(between);
		const pair = rows("1. Yes", "2. No");
		expect(isTrustGate("claude", rows(pair, `${far} trust`))).toBe(is);
		expect(isTrustGate("claude", rows(`trust ${far}`, pair))).toBe(is);
	},
);

describe("claude", () => {
	test.each([
		["three options", THREE, "tool_confirmation", "3"],
		["a grant as the second option", READ_GRANT, "tool_confirmation", "Escape"],
		["yes and no", YES_NO, "tool_confirmation", "2"],
		[
			"a second option that only begins like a no",
			YES_NO.replace("2. No", "2. Notify me"),
			"tool_confirmation",
			"Escape",
		],
		[
			"a third option behind a no",
			YES_NO.replace("2. No", "2. No\n   3. No, and tell Claude why"),
			"tool_confirmation",
			"3",
		],
		[
			"a list above the question",
			rows("1. a", "2. b", "3. c", YES_NO),
			"tool_confirmation",
			"2",
		],
		[
			"coloured rows",
			YES_NO.replace("Do you", "\x1b[1mDo\x1b[0m you"),
			"tool_confirmation",
			"2",
		],
		[
			"an edit",
			rows(
				" Do you want to make this edit to a.ts?",
				" ❯ 1. Yes",
				"   2. Yes, allow all edits during this session (shift+tab)",
				"   3. No",
			),
			"edit_confirmation",
			"3",
		],
		[
			"a fetch",
			rows(
				" Do you want to allow Claude to fetch this content?",
				" ❯ 1. Yes",
				"   2. Yes, and don't ask again for example.org",
				"   3. No, and tell Claude what to do differently (esc)",
			),
			"edit_confirmation",
			"3",
		],
	])("%s: %s … is %s, cancelled by %s", (_, pane, id, cancel) => {
		const found = detectPermission("claude", pane);
		expect(found?.id).toBe(id);
		expect(found && denyKeyFor(found, pane)).toBe(cancel);
		expect(isPaneSafeToType("claude", pane)).toBe(false);
	});

	test.each([
		[
			"prose that ends so",
			rows("The plan is long.", "Do you want to proceed?"),
		],
		[
			"a list before the question",
			rows("❯ 1. Yes", "  2. No", "Do you want to proceed?"),
		],
		["a prompt that scrolled up", rows(THREE, ...lines(20))],
		[
			"an edit without a second option",
			rows("Do you want to create a?", "❯ 1. x"),
		],
		["an empty pane", ""],
		["blank rows", rows(...blank(30))],
	])("%s is none", (_, pane) => {
		expect(detectPermission("claude", pane)).toBeNull();
	});

	test("blank rows below a prompt are padding, not answers", () => {
		const pane = rows(THREE, ...blank(20));
		expect(detectPermission("claude", pane)?.id).toBe("tool_confirmation");
	});

	test("what the watcher's own reader sees counts too: a question that a narrow pane wrapped", () => {
		const pane = rows(" Do you want to", " proceed?", " ❯ 1. Yes", "   2. No");
		expect(detectPermission("claude", pane)).toBeNull();
		const read = () => "Do you want to proceed?";
		expect(detectPermission("claude", pane, read)?.id).toBe(
			"tool_confirmation",
		);
		expect(detectPermission("codex", pane, read)).toBeNull();
	});
});

describe("other runtimes", () => {
	test.each([
		[
			"codex",
			"  Would you like to run the following command?",
			"tool_confirmation",
			"1",
			"3",
		],
		["cursor", "Not in allowlist: rm", "not_in_allowlist", "y", "Escape"],
		[
			"opencode",
			"┃  △ Permission required",
			"permission_required",
			"Enter",
			"End,Enter",
		],
		[
			"kiro-cli",
			" shell requires approval",
			"shell_approval",
			"Enter",
			"Escape",
		],
		[
			"auggie",
			" → [1] Always index this workspace",
			"indexing_consent",
			"3",
			"Escape",
		],
		["auggie", "│  Tool Approval Required   │", "tool_approval", "A", "D"],
	])("%s: %s", (runtime, pane, id, approve, cancel) => {
		const found = detectPermission(runtime, pane);
		expect(found?.id).toBe(id);
		expect(found?.approve).toBe(approve);
		expect(found && denyKeyFor(found, pane)).toBe(cancel);
	});

	test.each([
		["auggie", "INFO  Tool Approval Required for save-file"],
		["emacs", THREE],
		["", THREE],
		["codex", THREE],
	])("%p finds nothing in %j", (runtime, pane) => {
		expect(detectPermission(runtime, pane)).toBeNull();
	});
});

test("no approve key is a standing grant", () => {
	const grants = ["2", "Tab", "BTab", "shift+tab", "Right,Enter", "Down,Enter"];
	for (const { id, approve } of PATTERNS) {
		expect(grants).not.toContain(approve);
		expect(approve).not.toMatch(/all|always|forever/i);
		if (id === "indexing_consent")
			expect(["1", "Enter"]).not.toContain(approve);
	}
	expect(PATTERNS.length).toBe(8);
});

describe("a selection", () => {
	test.each([
		[rows("❯ 1) Yes", "  2) No"), true],
		[rows("│ ❯ 1. a", "│   2. b"), true],
		[rows("❯ 1. a", "  2. b", "  3. c", ...blank(25)), true],
		[
			rows("❯ No, exit", "Yes, I accept", "Enter to confirm · Esc to cancel"),
			true,
		],
		[rows("anything", "Enter to select · ↑/↓ · Esc to cancel", ""), true],
		["❯ ls -la", false],
		["he said ❯ 1. x", false],
		["❯ 1. x", false],
		[rows("Enter to confirm · Esc to cancel", "prose goes on"), false],
	])("%j: %p", (pane, is) => {
		expect(isSelectionPrompt(pane)).toBe(is);
	});
});

describe("a trust gate", () => {
	const near = "Do you trust the files in this folder?";
	test.each([
		["claude", rows("1. Yes", "2. No"), false],
		["claude", rows(near, "1. Yes", "2. No"), true],
		["claude", rows(near, "2. No", "1. Yes"), true],
		["claude", rows(near, "Yes", "No"), false],
		["claude", rows(near, ...lines(60), "1. Yes", "2. No"), false],
		[
			"claude",
			rows(
				"❯ No, exit",
				"  Yes, I trust this folder",
				"Enter to confirm · Esc to cancel",
			),
			true,
		],
		[
			"claude",
			rows("❯ No, exit", "Yes, I accept", "Enter to confirm · Esc to cancel"),
			false,
		],
		["codex", "Do you trust the contents of this directory?", true],
		["claude", "Do you trust the contents of this directory?", false],
		["claude", rows("Quick safety check", "…", "trust this folder"), true],
		["codex", rows("Quick safety check", "…", "trust this folder"), false],
	])("%s, %j: %p", (runtime, pane, is) => {
		expect(isTrustGate(runtime, pane)).toBe(is);
	});
});

test("bottomLines takes the last lines, and no empty one behind a final newline", () => {
	const text = `${lines(20, "l").join("\n")}\n`;
	expect(bottomLines(text, 15).split("\n")).toEqual(lines(20, "l").slice(5));
	expect(bottomLines("a\r\nb\r\n\r\n", 15)).toBe("a\nb");
});
