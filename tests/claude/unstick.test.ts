/** The unstick pass against the dialogs of the real Claude Code (contract 04 §8). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderProvenance } from "../../monitor/_state/window-provenance.ts";
import { CODE_ROOT, TEXTS } from "../../monitor/_sys/names.ts";
import { SUBSCRIBER, startLimitServer } from "../record/limit-server.ts";
import { BUN_DIR } from "../support/bun-dir.ts";
import {
	type Claude,
	type ClaudeOptions,
	startClaude,
} from "../support/claude-harness.ts";
import { type ModelServer, startTestModel } from "../support/model-server.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import {
	arrivals,
	type RealDelivery,
	realDelivery,
} from "../support/real-delivery.ts";
import { type RealUnstick, realUnstick } from "../support/real-unstick.ts";
import { waitUntil } from "../support/wait-until.ts";
import { taughtLine } from "../texts/commands.ts";

const LIMIT = 60_000;
const bash = (command: string) => ({
	kind: "tool" as const,
	name: "Bash",
	input: { command, description: "As asked" },
});
const option = (label: string) => ({ label, description: label });
const QUESTION = {
	kind: "tool" as const,
	name: "AskUserQuestion",
	input: {
		questions: [
			{
				question: "Which database should we use?",
				header: "Database",
				multiSelect: false,
				options: [option("SQLite"), option("PostgreSQL")],
			},
		],
	},
};
const QUOTES = `These dialogs were seen:

 Do you want to proceed?
 ❯ 1. Yes
   2. No

 Esc to cancel · Tab to amend

What do you want to do?
❯ 1. Stop and wait for limit to reset
  2. Upgrade plan

Which database should we use?
❯ 1. SQLite
  2. Type something.
  3. Chat about this
Enter to select · ↑/↓ to navigate · Esc to cancel

 ❯ Yes, I trust this folder
   No, exit
 Enter to confirm · Esc to cancel`;

let tmux: PrivateTmux;
let model: ModelServer;
let orchestrator: Claude;
let worker: Claude;
let delivery: RealDelivery;
let unstick: RealUnstick;

beforeAll(async () => {
	tmux = startPrivateTmux();
	model = startTestModel([
		{ when: "touch it", replies: [bash("touch touched")] },
		{ when: "push it", replies: [bash("git push --force origin main")] },
		{ when: "ask me", replies: [QUESTION] },
		{ when: "quote them", replies: [{ kind: "text", text: QUOTES }] },
		{ when: "hang on", replies: [{ kind: "hang", text: "Well.\n\nSo" }] },
	]);
	[orchestrator, worker] = await Promise.all([
		startClaude({ tmux, model, window: "orchestrator" }),
		startClaude({ tmux, model, window: "w1", permissionMode: "default" }),
	]);
	delivery = realDelivery(tmux, "orchestrator", orchestrator.configDir);
	unstick = realUnstick(delivery, {
		root: join(tmux.dir, "root"),
		config: { "monitor.watcher.worker_askuq_grace_seconds": 1 },
	});
}, LIMIT);
afterAll(async () => {
	await tmux.kill();
	await model.stop();
});

/** What is sent while `act` runs. */
async function keysDuring(act: () => Promise<void>): Promise<string[]> {
	const before = delivery.keys.length;
	await act();
	return delivery.keys.slice(before);
}

async function passes(n: number): Promise<void> {
	for (let i = 0; i < n; i++) await unstick.pass();
}

/** Passes until it holds; a dialog takes no key at all for a moment after it came up, so not too fast. */
async function passUntil(what: string, holds: () => boolean): Promise<void> {
	await waitUntil(what, async () => {
		await unstick.pass();
		if (!holds()) await Bun.sleep(1000);
		return holds();
	});
}

/** A line of the orchestrator's prompt, about the worker's window. */
function asTaught(needle: string): string {
	const taught = taughtLine(TEXTS.agentPrompt, needle, { window: "w1" });
	const PATH = `${BUN_DIR}:${process.env.PATH}`;
	const env = { ...tmux.env, PATH, NEXUS_ROOT: CODE_ROOT };
	const ran = Bun.spawnSync(["sh", "-c", taught], { env });
	expect({ taught, rc: ran.exitCode }).toEqual({ taught, rc: 0 });
	return ran.stdout.toString();
}

const dialogGone = (claude: Claude, words: string) =>
	claude.waitForScreen((screen) => !screen.includes(words));

/**
 * Prompts take no key at all for a moment after they came up, so Escape may be due again; not before the first had all its
 * time, for two of them in an idle box open the list of rewinds.
 */
async function dismiss(claude: Claude, words: string): Promise<void> {
	const gone = () => !claude.screen().includes(words);
	await waitUntil("the dialog to be gone", async () => {
		claude.press("Escape");
		return waitUntil("it", gone, { limitMs: 4000 }).catch(() => false);
	});
	await claude.waitForStatus("idle");
}

describe("a permission prompt", () => {
	const PROMPT = "Do you want to proceed?";

	test(
		"for a harmless command is answered once, with the one-time yes",
		async () => {
			await worker.say("touch it");
			await worker.waitForScreen(PROMPT);
			const keys = await keysDuring(async () => {
				const touched = join(worker.cwd, "touched");
				await passUntil("the answer", () => existsSync(touched));
				await worker.waitForStatus("idle");
				await passes(2);
			});
			expect(keys).toEqual(["Enter"]);
			expect(unstick.log("w1")[0]).toContain("case=A action=sent-Enter");
			expect(unstick.decisions("w1")).toEqual([]);
			// Nothing was granted for good: it asks again.
			await worker.say("touch it again");
			await worker.waitForScreen(PROMPT);
			await dismiss(worker, PROMPT);
		},
		LIMIT,
	);

	test(
		"for a vetoed command is handed on and not answered",
		async () => {
			await worker.say("push it");
			await worker.waitForScreen(PROMPT);
			expect(await keysDuring(() => passes(3))).toEqual([]);
			expect(unstick.decisions("w1")).toMatchObject([
				{ kind: "permission_prompt", verdict: "veto" },
			]);
			expect(worker.screen()).toContain("❯ 1. Yes");
			// What the orchestrator is taught: look, and say no.
			expect(asTaught("capture-pane")).toContain("git push --force");
			await waitUntil("the dialog to be gone", async () => {
				asTaught('"$W" Escape');
				await Bun.sleep(500);
				return !worker.screen().includes(PROMPT);
			});
			await worker.waitForStatus("idle");
		},
		LIMIT,
	);

	test(
		"for a vetoed command is said yes to, once, as the orchestrator is taught",
		async () => {
			await worker.say("push it again");
			await worker.waitForScreen("1. Yes");
			await waitUntil("the command to run", async () => {
				asTaught('"$W" 1');
				await Bun.sleep(500);
				return !worker.screen().includes(PROMPT);
			});
			await worker.waitForStatus("idle");
			expect(worker.screen()).toContain("Ran 1 shell command · 1 failed");
		},
		LIMIT,
	);

	test(
		"with the second option focused gets no key",
		async () => {
			await worker.say("touch it once more");
			await worker.waitForScreen(PROMPT);
			await waitUntil("the second option", async () => {
				worker.press("Down");
				await Bun.sleep(300);
				return /❯ 2\./.test(worker.screen());
			});
			expect(await keysDuring(() => passes(3))).toEqual([]);
			await dismiss(worker, PROMPT);
		},
		LIMIT,
	);
});

describe("a question", () => {
	const ASKED = "Which database should we use?";
	const META = "AskUserQuestion dialog was dismissed";

	test(
		"on the orchestrator is dismissed and explained, once",
		async () => {
			await orchestrator.say("ask me");
			await orchestrator.waitForScreen("Chat about this");
			await passUntil(
				"the explanation",
				() => arrivals(orchestrator, META, "").times === 1,
			);
			await passes(2);
			expect(arrivals(orchestrator, META, "").times).toBe(1);
			await orchestrator.waitForStatus("idle");
		},
		LIMIT,
	);

	test(
		"on a worker is handed on after its grace, and never typed into",
		async () => {
			await worker.say("ask me");
			await worker.waitForScreen("Chat about this");
			const keys = await keysDuring(async () => {
				await unstick.pass();
				expect(
					unstick.decisions("w1").filter((d) => d.kind === "blocked_question"),
				).toEqual([]);
				await Bun.sleep(2100);
				await passes(2);
			});
			expect(keys).toEqual([]);
			const [relayed] = unstick
				.decisions("w1")
				.filter((d) => d.kind === "blocked_question");
			expect(relayed?.prompt_excerpt).toContain(ASKED);
			expect(relayed?.prompt_excerpt).toContain("SQLite");
			expect(worker.screen()).toContain("Chat about this");
			await dismiss(worker, "Chat about this");
		},
		LIMIT,
	);

	test(
		"with an answer typed into it is left to who types",
		async () => {
			await orchestrator.say("ask me a third time");
			await orchestrator.waitForScreen("Chat about this");
			await waitUntil("the own answer", async () => {
				orchestrator.press("3");
				await Bun.sleep(300);
				return /❯ 3\./.test(orchestrator.screen());
			});
			orchestrator.type("neither of them");
			await orchestrator.waitForScreen("neither of them");
			expect(await keysDuring(() => passes(3))).toEqual([]);
			expect(orchestrator.screen()).toContain("neither of them");
			orchestrator.press("Escape");
			await dialogGone(orchestrator, "Chat about this");
			await orchestrator.waitForStatus("idle");
		},
		LIMIT,
	);
});

test(
	"a rate-limit menu is left alone until its time, then dismissed and told to go on",
	async () => {
		const limited = startLimitServer("seven_day_opus");
		const claude = await startClaude({
			tmux,
			window: "limited",
			model: limited,
			env: SUBSCRIBER,
		});
		await claude.say("hello there");
		await claude.waitForScreen("Stop and wait for limit");
		expect(await keysDuring(() => passes(3))).toEqual([]);
		const reset = join(delivery.stateDir, "unstick/ratelimit.reset.epoch");
		expect(readFileSync(reset, "utf8")).toMatch(/^\d+\tshown\n$/);
		writeFileSync(reset, "1\n");
		const keys = await keysDuring(() => passes(1));
		expect(keys.slice(0, 4)).toEqual(["Enter", "i", "BSpace", "paste"]);
		await claude.waitForUserText("The API rate limit has reset.");
		await waitUntil("the orchestrator to hear of it", () =>
			orchestrator
				.userTexts()
				.some((t) => t.includes("told to go on: limited")),
		);
		await orchestrator.waitForStatus("idle");
		claude.close();
		await limited.stop();
	},
	LIMIT,
);

test(
	"a transcript that quotes all of these dialogs gets no key and makes no decision",
	async () => {
		for (const claude of [orchestrator, worker]) {
			await claude.say("quote them");
			await claude.waitForScreen("Stop and wait for limit to reset");
			await claude.waitForStatus("idle");
		}
		const known = unstick.decisions("w1").length;
		expect(await keysDuring(() => passes(3))).toEqual([]);
		expect(unstick.decisions("w1")).toHaveLength(known);
		expect(unstick.decisions("orchestrator")).toEqual([]);
	},
	LIMIT,
);

test(
	"a hung turn is not touched",
	async () => {
		await worker.say("hang on");
		await worker.waitForScreen("● Well.");
		await worker.waitForStatus("busy");
		expect(await keysDuring(() => passes(3))).toEqual([]);
		expect(worker.session()?.status).toBe("busy");
		worker.press("Escape");
		await worker.waitForScreen("Interrupted");
		await worker.waitForStatus("idle");
	},
	LIMIT,
);

describe("a draft", () => {
	test(
		"that grows while the pass runs keeps every character",
		async () => {
			const text = "the quick brown fox jumps over it";
			const keys = await keysDuring(async () => {
				for (const character of text) {
					worker.type(character);
					await unstick.pass();
				}
			});
			expect(keys).toEqual([]);
			await worker.waitForScreen(text);
			worker.press("C-u");
		},
		LIMIT,
	);

	test(
		"that is typed where a question was taken away keeps every character; the explanation waits for it",
		async () => {
			await orchestrator.say("ask me at last");
			await orchestrator.waitForScreen("Chat about this");
			// Its session file follows the screen: before that nothing would seem to be asked, and what is typed goes to the dialog.
			await orchestrator.waitForStatus("waiting");
			const asks = () => orchestrator.session()?.status === "waiting";
			const before = arrivals(orchestrator, "dialog was dismissed", "").times;
			const typing = (async () => {
				await orchestrator.waitForScreen(() => !asks());
				orchestrator.type("as I was saying");
			})();
			await passUntil("the dialog to go", () => !asks());
			await typing;
			const sent = () =>
				arrivals(orchestrator, "dialog was dismissed", "").times;
			// It came before the draft, or it waits; the draft is whole in any case.
			await orchestrator.waitForScreen("as I was saying");
			await passes(1);
			expect(orchestrator.screen()).toContain("as I was saying");
			orchestrator.press("C-u");
			await passUntil("the explanation", () => sent() === before + 1);
			expect(
				orchestrator.userTexts().filter((t) => t.includes("as I was saying")),
			).toEqual([]);
		},
		LIMIT,
	);
});

describe("a start-up dialog", () => {
	const start = (window: string, more: Partial<ClaudeOptions> = {}) =>
		startClaude({ tmux, model, window, trusted: false, noWait: true, ...more });

	test(
		"is answered by its text where we opened the window for that folder",
		async () => {
			const cwd = join(tmux.dir, "cwd", "w2");
			const record = renderProvenance({
				window: "w2",
				sessionId: "",
				kind: "task",
				workdir: cwd,
				promptFile: "",
				topic: "",
				spawnedAt: "",
				lastActivityRef: "",
				skeptic: { mode: "auto", depth: 0, role: false, target: "", orig: "" },
			});
			mkdirSync(join(delivery.stateDir, "windows"), { recursive: true });
			writeFileSync(join(delivery.stateDir, "windows/w2.json"), record);
			const claude = await start("w2");
			await claude.waitForScreen("trust this folder");
			await passUntil("the box", () => claude.session()?.status === "idle");
			expect(unstick.log("w2").join("\n")).toContain("action=chosen");
			claude.close();
		},
		LIMIT,
	);

	test(
		"of another folder gets no key and becomes a decision",
		async () => {
			const claude = await start("w3");
			await claude.waitForScreen("trust this folder");
			expect(await keysDuring(() => passes(3))).toEqual([]);
			expect(unstick.decisions("w3")).toMatchObject([
				{ kind: "startup_dialog", verdict: "unlisted" },
			]);
			claude.close();
		},
		LIMIT,
	);
});
