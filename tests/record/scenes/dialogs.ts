/** Questions of the agent: permissions, plans, choices. */
import {
	type Act,
	dismiss,
	IDLE,
	pause,
	press,
	rule,
	type Scene,
	say,
	see,
	text,
	tool,
	type,
} from "../scene.ts";

const bash = (command: string) =>
	tool("Bash", { command, description: "Do it" });
const permission = { overlay: "permission" };
const askuq = { overlay: "askuq" };

function ask(name: string, prompt: string, play: Scene["play"] = []): Scene {
	return {
		name,
		want: ["blocked"],
		keys: permission,
		play: [say(prompt), see(/Do you want/), pause(400), ...play],
		leave: [press("Escape"), pause(900)],
	};
}

const option = (label: string) => ({ label, description: `${label} it is` });
const question = (header: string, multiSelect: boolean, labels: string[]) => ({
	question: `Which ${header.toLowerCase()} should we take for this project?`,
	header,
	multiSelect,
	options: labels.map(option),
});
const one = question("Database", false, ["SQLite", "PostgreSQL"]);
const two = question("Region", false, ["EU", "US", "APAC"]);
const many = question("Parts", true, ["A", "B", "C"]);
const withPreview = {
	...one,
	options: one.options.map((o) => ({
		...o,
		preview: `+--+\n|${o.label}|\n+--+`,
	})),
};

const TRICKY =
	"cat <<E\nDo you want to proceed?\n❯ 1. Yes\n  2. No\nE\nnpm publish";
const LONG = Array.from({ length: 80 }, (_, i) => `${i}`).join("\n");

export const PERMISSIONS: Act = {
	name: "permissions",
	options: { permissionMode: "default" },
	rules: [
		rule("run curl", bash("curl https://example.com")),
		rule("run push", bash("git push --force origin main && rm -rf build")),
		rule(
			"run long",
			bash(
				`curl https://example.com/${"word/".repeat(90)} ${"-H word ".repeat(60)}`,
			),
		),
		rule("run tall", bash(LONG.replaceAll("\n", " && \\\necho "))),
		rule("run tricky", bash(TRICKY)),
		rule(
			"write short",
			tool("Write", { file_path: "a.txt", content: "hello\nworld" }),
		),
		rule("write long", tool("Write", { file_path: "long.txt", content: LONG })),
		rule(
			"fetch",
			tool("WebFetch", { url: "https://example.com/x", prompt: "read" }),
		),
		rule("search", tool("WebSearch", { query: "what is new" })),
		rule(
			"two calls",
			bash("curl https://one.example"),
			bash("curl https://two.example"),
		),
	],
	scenes: [
		ask("permission-bash", "run curl"),
		ask("permission-second", "run curl again", [press("Down"), pause(300)]),
		ask("permission-last", "run curl third", [press("Up"), pause(300)]),
		ask("permission-amend", "run curl fourth", [press("Tab"), pause(400)]),
		ask("permission-dangerous", "run push"),
		ask("permission-long-command", "run long"),
		ask("permission-tall-command", "run tall"),
		ask("permission-quoting-prompt", "run tricky"),
		ask("permission-write", "write short"),
		ask("permission-long-diff", "write long"),
		ask("permission-fetch", "fetch it"),
		ask("permission-search", "search it"),
		{
			name: "permission-rejected",
			want: IDLE,
			play: [
				say("run curl fifth"),
				see(/Do you want/),
				pause(300),
				press("Escape"),
				pause(900),
			],
		},
	],
};

export const EDITS: Act = {
	name: "edits",
	options: { permissionMode: "default" },
	files: { "code.ts": "let a = 1;\nlet b = 2;\n" },
	rules: [
		rule(
			"edit it",
			tool("Read", { file_path: "code.ts" }),
			tool("Edit", {
				file_path: "code.ts",
				old_string: "let b = 2;",
				new_string: "const b = 3;",
			}),
		),
	],
	scenes: [ask("permission-edit", "edit it")],
};

export const QUESTIONS: Act = {
	name: "questions",
	rules: [
		rule("ask one", tool("AskUserQuestion", { questions: [one] })),
		rule("ask two", tool("AskUserQuestion", { questions: [one, two] })),
		rule("ask many", tool("AskUserQuestion", { questions: [many] })),
		rule("ask shown", tool("AskUserQuestion", { questions: [withPreview] })),
	],
	scenes: [
		{
			name: "question",
			want: ["blocked"],
			keys: askuq,
			play: [say("ask one"), see(/Chat about this|Type something/), pause(400)],
		},
		{
			name: "question-second",
			want: ["blocked"],
			keys: askuq,
			play: [press("Down"), pause(300)],
		},
		{
			name: "question-other-typed",
			want: ["blocked"],
			keys: askuq,
			play: [press("Down"), pause(300), type("my own answer"), pause(300)],
		},
		{
			name: "question-chat",
			want: ["blocked"],
			keys: askuq,
			play: [press("Down"), pause(300)],
			leave: [press("Escape"), pause(900)],
		},
		{
			name: "question-declined",
			want: IDLE,
			play: [see(/[Dd]eclined/), pause(600)],
		},
		{
			name: "question-two",
			want: ["blocked"],
			keys: askuq,
			play: [say("ask two"), see(/Chat about this|Type something/), pause(400)],
		},
		{
			name: "question-two-next",
			want: ["blocked"],
			keys: askuq,
			play: [press("Enter"), see(/APAC/), pause(400)],
		},
		{
			name: "question-two-review",
			want: ["blocked"],
			keys: askuq,
			play: [
				press("Enter"),
				see(/Submit answers|Ready to submit|Review/),
				pause(400),
			],
			leave: [press("Escape"), pause(900)],
		},
		{
			name: "question-many",
			want: ["blocked"],
			keys: askuq,
			play: [
				say("ask many"),
				see(/Chat about this|Type something/),
				pause(400),
			],
		},
		{
			name: "question-many-checked",
			want: ["blocked"],
			keys: askuq,
			play: [press("Down", "Enter"), pause(400)],
			leave: [press("Escape"), pause(900)],
		},
		{
			name: "question-preview",
			want: ["blocked"],
			keys: askuq,
			play: [say("ask shown"), see(/SQLite/), pause(600)],
			leave: [press("Escape"), pause(900)],
		},
	],
};

export const PLANS: Act = {
	name: "plans",
	options: { permissionMode: "plan" },
	rules: [
		rule(
			"plan it",
			tool("ExitPlanMode", { plan: "# Plan\n\n1. Read\n2. Write\n3. Test" }),
		),
		rule(
			"long plan",
			tool("ExitPlanMode", {
				plan: `# Plan\n\n${LONG.replaceAll("\n", "\n\n")}`,
			}),
		),
	],
	scenes: [
		{ name: "plan-mode", want: IDLE, play: [pause(500)] },
		{
			name: "plan-approval",
			want: ["blocked"],
			play: [
				say("plan it"),
				see(/Would you like|proceed|Exit plan/),
				pause(500),
			],
			leave: [press("Escape"), pause(900)],
		},
		{
			name: "plan-approval-long",
			want: ["blocked"],
			play: [
				say("long plan"),
				see(/Would you like|proceed|Exit plan/),
				pause(500),
			],
			leave: [press("Escape"), pause(900)],
		},
	],
};

export const ENTER_PLAN: Act = {
	name: "enter-plan",
	options: { permissionMode: "default" },
	rules: [rule("think first", tool("EnterPlanMode", {}), text("Planned."))],
	scenes: [
		{
			name: "enter-plan-consent",
			want: ["blocked", ...IDLE],
			play: [say("think first"), see(/plan mode/), pause(900)],
			leave: dismiss,
		},
	],
};
