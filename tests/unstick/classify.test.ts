import { describe, expect, test } from "bun:test";
import {
	menuFingerprint,
	promptFingerprint,
	questionFingerprint,
} from "../../monitor/_pane/fingerprint.ts";
import {
	type MenuVerdict,
	PERMISSION_MENU,
	RATE_LIMIT_MENU,
	readMenu,
} from "../../monitor/_pane/menu.ts";
import {
	dangerMarker,
	permissionPrompt,
} from "../../monitor/_pane/permission.ts";
import {
	classifyPane,
	type UnstickCase,
} from "../../monitor/_pane/unstick-case.ts";
import { capture } from "../pane/fixtures.ts";
import { dialogRows, RULE } from "./fake-claude.ts";

const PERMISSION = [
	"Some output...",
	"",
	"Do you want to proceed?",
	"❯ 1. Yes",
	"  2. Yes, and allow access to ...",
	"  3. No",
];
const LIMIT = [
	"You've hit the limit.",
	"",
	"What do you want to do?",
	"❯ 1. Stop and wait for limit to reset",
	"  2. Upgrade plan",
	"  3. Add extra usage",
];
const QUESTION = dialogRows({ kind: "question" });
const PROMPT = dialogRows({ kind: "permission", command: "curl x" });
const BOX = [RULE, "❯\u00a0", RULE];

function caseOf(
	rows: readonly string[],
	more: { readonly isTarget?: boolean; readonly overlay?: string } = {},
) {
	const { isTarget = false, overlay = null } = more;
	const found = classifyPane({
		rows,
		overlay,
		isTarget,
		refusal: (prompt) => {
			const marker = dangerMarker(prompt);
			return marker === null ? null : { verdict: "danger", marker };
		},
	});
	return found?.kind ?? null;
}

describe("fingerprints", () => {
	test.each([
		[PERMISSION, "bb9a305ff28e"],
		[["Do you want to proceed?", "❯ 1. Yes", "  2. No"], "65168632d099"],
		[LIMIT, "30a43d345a6b"],
		[["$ ls", "a  b"], "da39a3ee5e6b"],
	])("%j is %s", (rows, fp) => {
		expect(menuFingerprint(rows)).toBe(fp);
	});

	test("two questions with the same options are told apart", () => {
		const other = QUESTION.map((row) => row.replace("database", "cache"));
		expect(questionFingerprint(other)).not.toBe(questionFingerprint(QUESTION));
	});

	test("a blinking bullet and a countdown are not another prompt; another command is", () => {
		const prompt = (bullet: string, left: string, command: string) => [
			`${bullet} Fetching`,
			`  ${command}`,
			`  Claude will deny this request in ${left}`,
			...PERMISSION.slice(2),
		];
		const fp = promptFingerprint(prompt("●", "0:59", "curl x"));
		expect(promptFingerprint(prompt(" ", "0:12", "curl x"))).toBe(fp);
		expect(promptFingerprint(prompt("⏺", "1:02", "curl x"))).toBe(fp);
		expect(promptFingerprint(prompt("●", "0:59", "curl y"))).not.toBe(fp);
	});
});

describe("which dialog it is", () => {
	test.each<[string, readonly string[], UnstickCase["kind"] | null]>([
		["a permission prompt", PERMISSION, "A"],
		[
			"the same below a warning",
			[
				'Dangerous rm operation on possibly-empty variable path: "$M/x"',
				...PERMISSION,
			],
			"A-refuse",
		],
		...[
			"Dangerous command",
			"a possibly-empty variable path",
			"removes a critical path",
			"a statically-unresolvable target",
			"deletes the working directory or its ancestor",
			"writes to /etc/hosts, which is a sensitive file",
		].map((warning): [string, readonly string[], "A-refuse"] => [
			`below a warning: ${warning}`,
			[warning, ...PERMISSION],
			"A-refuse",
		]),
		[
			"below what every prompt says",
			["This command requires approval", ...PERMISSION],
			"A",
		],
		[
			"a warning that the pane broke in two",
			["a statically-unresolvable", "target", ...PERMISSION],
			"A-refuse",
		],
		[
			"a prompt for a file",
			["Do you want to create a.txt?", "❯ 1. Yes", "  2. No"],
			"A",
		],
		[
			"a prompt without numbers",
			["Do you want to proceed?", "❯ Yes", "  No"],
			"A",
		],
		["the rate-limit menu", LIMIT, "B"],
		[
			"the same with another row highlighted",
			LIMIT.map((row) =>
				row.includes("1.")
					? row.replace("❯", " ")
					: row.replace("  2.", "❯ 2."),
			),
			"B",
		],
		["the same in a frame", LIMIT.map((row) => `  │ ${row} │`), "B"],
		["its words with an input box below", [...LIMIT, "", "❯\u00a0"], null],
		["its title alone", ["What do you want to do?", "❯ 1. Something"], null],
		["a question", QUESTION, "W"],
		[
			"a question of several answers",
			QUESTION.map((row) =>
				row.replace("Type something.", "[ ] Type something"),
			),
			"W",
		],
		["a question whose footer scrolled away", QUESTION.slice(0, -1), null],
		[
			"prose about a question",
			["use `Type something.+Chat about this` to find it"],
			null,
		],
		[
			"a prompt quoted above a question",
			[...PROMPT.slice(0, -1), ...QUESTION],
			"W",
		],
		["a question quoted above a live prompt", [...QUESTION, ...PROMPT], "A"],
		["a menu quoted above a live prompt", [...LIMIT, ...PROMPT], "A"],
		[
			"a question that is worded as a prompt",
			QUESTION.map((row) => row.replace(/^Which.*/, "Do you want to proceed?")),
			"W",
		],
		[
			"an API error",
			[
				'● API Error: 500 {"type":"error","error":{"message":"Internal server error"}}',
				...BOX,
			],
			null,
		],
		["a shell", ["$ ls", "a b"], null],
	])("%s", (_what, rows, kind) => {
		expect(caseOf(rows)).toBe(kind);
	});

	test("a question on the target is D", () => {
		expect(caseOf(QUESTION, { isTarget: true })).toBe("D");
	});

	test("a start-up dialog comes before all", () => {
		expect(caseOf(PERMISSION, { overlay: "workspace-trust" })).toBe("S");
	});

	test.each<[string, readonly string[], MenuVerdict]>([
		["none", ["$ ls"], "none"],
		["quoted", [...PERMISSION, "", "❯\u00a0a draft"], "quoted"],
		["without a highlight", ["Do you want to proceed?", "  1. Yes"], "quoted"],
		["on Yes", PERMISSION, "wanted-highlighted"],
		[
			"wrapped over two rows, on Yes",
			["Do you want to make this edit to", "a-long-name.txt?", "❯ 1. Yes"],
			"wanted-highlighted",
		],
		[
			"of which a tool's output quotes the first words",
			["     Do you want to proceed?…", "  ⎿  What now?", "❯ 1. Yes"],
			"none",
		],
		[
			"on a standing grant",
			["Do you want to proceed?", "  1. Yes", "❯ 2. Yes, and allow …"],
			"other-highlighted",
		],
	])("a permission menu %s", (_what, rows, verdict) => {
		expect(readMenu(rows, PERMISSION_MENU).verdict).toBe(verdict);
	});

	test("the last title counts", () => {
		const rows = [
			...LIMIT,
			...LIMIT.map((row) =>
				row.includes("1.")
					? row.replace("❯", " ")
					: row.replace("  3.", "❯ 3."),
			),
		];
		expect(readMenu(rows, RATE_LIMIT_MENU).verdict).toBe("other-highlighted");
	});
});

describe("prompts of real releases", () => {
	const rowsOf = (file: string) =>
		capture("claude-code", `${file}.ansi`)
			.replace(/\x1b\[[0-9;:]*m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, "")
			.split("\n")
			.map((row) => row.trimEnd());
	test("a question below output that quotes half a prompt is the worker's question", () => {
		const rows = rowsOf("2.1.332-160x45/question-multiselect");
		expect(permissionPrompt(rows)).toBeNull();
		expect(caseOf(rows)).toBe("W");
	});

	test.each<[string, string, boolean, string]>([
		[
			"2.1.197-160x45/permission-bash",
			"curl https://example.com",
			true,
			"wanted-highlighted",
		],
		[
			"2.1.332-160x45/permission-bash",
			"curl https://example.com",
			true,
			"wanted-highlighted",
		],
		[
			"2.1.332-160x45/permission-dangerous",
			"git push --force origin main && rm -rf build",
			true,
			"wanted-highlighted",
		],
		[
			"2.1.332-160x45/permission-second-focused",
			"git push --force",
			true,
			"other-highlighted",
		],
		[
			"2.1.332-160x45/permission-command-quotes-prompt",
			"npm publish",
			true,
			"wanted-highlighted",
		],
		[
			"2.1.332-160x45/permission-long-diff",
			"80 80",
			false,
			"wanted-highlighted",
		],
		[
			"2.1.332-160x45/permission-webfetch",
			"https://example.com/x",
			true,
			"wanted-highlighted",
		],
		[
			"2.1.197-160x45/permission-webfetch",
			"https://example.com/x",
			true,
			"wanted-highlighted",
		],
		["2.1.332-160x45/permission-write", "a.txt", true, "wanted-highlighted"],
	])("%s shows %s", (file, shows, isWhole, verdict) => {
		const prompt = permissionPrompt(rowsOf(file));
		expect(prompt).toMatchObject({ isWhole, verdict });
		expect(prompt?.body.join("\n")).toContain(shows);
		// What was said before the dialog is not part of it.
		expect(prompt?.body.join("\n")).not.toContain("❯ fetch it");
	});

	test.each(["permission-rejected", "idle-quoting-permission", "quoted-menus"])(
		"%s is none",
		(file) => {
			const rows = rowsOf(`2.1.332-160x45/${file}`);
			expect(["A", null]).toContain(caseOf(rows));
			expect(readMenu(rows, PERMISSION_MENU).verdict).not.toContain(
				"highlighted",
			);
			expect(readMenu(rows, RATE_LIMIT_MENU).verdict).not.toContain(
				"highlighted",
			);
		},
	);

	test.each([
		"ask-user-question",
		"ask-user-question-multi",
		"question-multiselect",
		"question-multiselect-checked",
	])("%s is a question", (file) => {
		expect(caseOf(rowsOf(`2.1.332-160x45/${file}`))).toBe("W");
	});
});
