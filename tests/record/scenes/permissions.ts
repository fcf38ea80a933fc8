/** Calls that wait for a permission. */
import {
	type Act,
	IDLE,
	pause,
	press,
	rule,
	type Scene,
	say,
	see,
	tool,
} from "../scene.ts";

const bash = (command: string) =>
	tool("Bash", { command, description: "Do it" });
const permission = { overlay: "permission" };

function ask(name: string, prompt: string, play: Scene["play"] = []): Scene {
	return {
		name,
		want: ["blocked"],
		keys: permission,
		play: [say(prompt), see(/Do you want/), pause(400), ...play],
		leave: [press("Escape"), pause(900)],
	};
}

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
