import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ClaudeOptions, startClaude } from "../support/claude-harness.ts";
import {
	type ModelReply,
	type ModelServer,
	scriptOf,
	startTestModel,
} from "../support/model-server.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";

let tmux: PrivateTmux;
let model: ModelServer;

beforeAll(() => {
	tmux = startPrivateTmux();
	model = startTestModel();
});
afterAll(async () => {
	await tmux.kill();
	await model.stop();
});

/** A fresh Claude in window `name` whose model answers everything with `replies`, step by step. */
function claudeThat(
	name: string,
	replies: readonly ModelReply[],
	opts: Partial<ClaudeOptions> = {},
) {
	model.play(scriptOf([{ when: "", replies }]));
	return startClaude({ tmux, model, window: name, ...opts });
}

const LIMIT = 60_000;

test(
	"a prompt is answered, recorded once and followed by idle",
	async () => {
		const claude = await claudeThat("hello", [{ kind: "text", text: "Hi." }]);
		await claude.say("say hello");
		await claude.waitForScreen("● Hi.");
		await claude.waitForStatus("idle");
		expect(await claude.waitForUserText("say hello")).toBe(1);
		expect(model.requests.at(-1)).toMatchObject({
			prompt: "say hello",
			step: 0,
			session: claude.session()?.sessionId,
		});
		claude.close();
	},
	LIMIT,
);

test(
	"a scripted tool call is carried out, then the next step is played",
	async () => {
		const file_path = join(tmux.dir, "made.txt");
		const claude = await claudeThat("writes", [
			{ kind: "tool", name: "Write", input: { file_path, content: "made\n" } },
			{ kind: "text", text: "Written." },
		]);
		await claude.say("write a file");
		await claude.waitForScreen("● Written.");
		expect(readFileSync(file_path, "utf8")).toBe("made\n");
		claude.close();
	},
	LIMIT,
);

test(
	"a gate keeps the turn busy until it is released",
	async () => {
		const claude = await claudeThat("gated", [
			{ kind: "gate", gate: "dawn", text: "Morning." },
		]);
		await claude.say("wait for it");
		await claude.waitForStatus("busy");
		expect(claude.screen()).not.toContain("Morning.");
		model.release("dawn");
		await claude.waitForScreen("● Morning.");
		await claude.waitForStatus("idle");
		claude.close();
	},
	LIMIT,
);

test(
	"without standing permissions a call waits at the real prompt, and does nothing",
	async () => {
		const touched = join(tmux.dir, "touched");
		const input = { command: `touch ${touched}`, description: "Touch it" };
		const claude = await claudeThat(
			"asks",
			[{ kind: "tool", name: "Bash", input }],
			{ permissionMode: "default" },
		);
		await claude.say("run it");
		await claude.waitForScreen("Do you want to proceed?");
		const session = await claude.waitForStatus("waiting");
		expect(session.waitingFor).toBe("permission prompt");
		expect(existsSync(touched)).toBe(false);
		claude.close();
	},
	LIMIT,
);

test(
	"a question tool shows the real question dialog",
	async () => {
		const option = (label: string) => ({ label, description: label });
		const question = {
			question: "Which colour?",
			header: "Colour",
			multiSelect: false,
			options: [option("Red"), option("Blue")],
		};
		const input = { questions: [question] };
		const claude = await claudeThat("question", [
			{ kind: "tool", name: "AskUserQuestion", input },
		]);
		await claude.say("ask me");
		await claude.waitForScreen("Which colour?");
		await claude.waitForStatus("waiting");
		claude.close();
	},
	LIMIT,
);

for (const status of [401, 429, 500, 529] as const)
	test(
		`HTTP ${status} shows a real error line`,
		async () => {
			const reply = { kind: "error", status, message: "as scripted" } as const;
			const claude = await claudeThat(`error-${status}`, [reply]);
			await claude.say("try");
			await claude.waitForScreen(/as scripted|API Error|Invalid|overload/i);
			await claude.waitForStatus("idle");
			claude.close();
		},
		LIMIT,
	);

test(
	"a stream that never ends is a busy pane until Escape",
	async () => {
		const claude = await claudeThat("hangs", [
			{ kind: "hang", text: "Well.\n\nSo" },
		]);
		await claude.say("go on");
		await claude.waitForScreen("● Well.");
		await claude.waitForStatus("busy");
		claude.press("Escape");
		await claude.waitForScreen("Interrupted");
		claude.close();
	},
	LIMIT,
);

test(
	"vim keys are on when asked for",
	async () => {
		const claude = await claudeThat("vim", [], { vim: true });
		claude.type("ihello");
		await claude.waitForScreen("-- INSERT --");
		claude.press("Escape");
		await claude.waitForScreen((s) => !s.includes("-- INSERT --"));
		claude.close();
	},
	LIMIT,
);

test(
	"a folder that is not trusted asks first",
	async () => {
		const claude = await claudeThat("untrusted", [], {
			trusted: false,
			noWait: true,
		});
		await claude.waitForScreen(/trust/i);
		claude.close();
	},
	LIMIT,
);
