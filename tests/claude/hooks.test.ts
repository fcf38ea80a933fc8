/** Workers as they are launched, with the rendered worker-settings.json: what the real Claude Code makes its hooks write. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseHeartbeat } from "../../monitor/_state/heartbeat.ts";
import { renderedSettingsPath } from "../../monitor/_state/rendered-settings.ts";
import { launched, type Role } from "../hooks/wired.ts";
import { SUBSCRIBER, startLimitServer } from "../record/limit-server.ts";
import { type Claude, startClaude } from "../support/claude-harness.ts";
import {
	type ModelReply,
	type ModelRule,
	type ModelServer,
	startTestModel,
} from "../support/model-server.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Of one wait, and of one case. They end a hang; a crowded machine is slow, and still right. */
const GUARD_MS = 60_000;
const LIMIT = 2 * GUARD_MS;

const bash = (command: string, gate?: string): ModelReply => ({
	kind: "tool",
	name: "Bash",
	input: { command, description: "A command" },
	gate,
});
const WRITE: ModelReply = {
	kind: "tool",
	name: "Write",
	input: { file_path: "note.txt", content: "x" },
};
const QUESTION: ModelReply = {
	kind: "tool",
	name: "AskUserQuestion",
	input: {
		questions: [
			{
				question: "Which?",
				header: "Pick",
				multiSelect: false,
				options: [
					{ label: "A", description: "a" },
					{ label: "B", description: "b" },
				],
			},
		],
	},
};
/** A turn that stands still where its case looks: before its tool, in it, and behind it. */
const STEPS: readonly ModelReply[] = [
	bash("while [ ! -e finish ]; do sleep 0.1; done; echo done", "to the tool"),
	{ kind: "gate", gate: "to the end", text: "Done." },
];
const STATUSES = [401, 429, 500, 529] as const;
/** A refused prompt stays in the next request, so that the last words count: `and now` is not refused. */
const CRASH: ModelRule = {
	when: /crash (401|429|500|529)(?![\s\S]*and now)/,
	replies: (said = "") =>
		STATUSES.filter((status) => `${status}` === said).map((status) => ({
			kind: "error",
			status,
		})),
};
const RULES: readonly ModelRule[] = [
	CRASH,
	{ when: "step by step", replies: STEPS },
	{ when: "submit a job", replies: [bash("nohup true > /dev/null &")] },
	{ when: "work on", replies: [{ kind: "hang", text: "Working" }] },
	{ when: "long command", replies: [bash("tail -f /dev/null")] },
	{ when: "short command", replies: [bash("echo done")] },
	{ when: "write a file", replies: [WRITE] },
	{ when: "ask me", replies: [QUESTION] },
];

let tmux: PrivateTmux;
let model: ModelServer;
let state: string;
const settings: Partial<Record<Role, string>> = {};

beforeAll(async () => {
	tmux = startPrivateTmux();
	state = join(tmux.dir, "state");
	model = startTestModel(RULES);
	for (const role of ["worker", "orchestrator"] as const) {
		await launched(role, tmux.dir);
		settings[role] = renderedSettingsPath(tmux.dir, role);
	}
}, LIMIT);
afterAll(async () => {
	await tmux.kill();
	await model.stop();
}, LIMIT);

/** Each case has a Claude of its own, in a window of its own: what one leaves behind, the next does not meet. */
async function withClaude(
	window: string,
	opts: Partial<Parameters<typeof startClaude>[0]>,
	act: (claude: Claude) => Promise<void>,
): Promise<void> {
	const claude = await startClaude({
		tmux,
		model,
		window,
		guardMs: GUARD_MS,
		...opts,
		flags: opts.flags ?? ["--settings", settings.worker!],
		env: opts.env ?? workerEnv(window),
	});
	try {
		await act(claude);
	} finally {
		claude.close();
	}
}
const workerEnv = (window: string) => ({
	NEXUS_STATE_DIR: state,
	NEXUS_WORKER_WINDOW: window,
});

const read = (path: string): string | null =>
	existsSync(join(state, path))
		? readFileSync(join(state, path), "utf8")
		: null;
const json = (path: string) => JSON.parse(read(path) ?? "null");
const beat = (window: string) =>
	parseHeartbeat(read(`heartbeat/${window}.json`) ?? "");
const until = <T>(what: string, ask: () => T, describe?: () => string) =>
	waitUntil(what, ask, { limitMs: GUARD_MS, describe });
const beats = (window: string, wanted: string) =>
	until(
		`${window} to be ${wanted}`,
		() => beat(window)?.state === wanted,
		() => `${JSON.stringify(beat(window))}`,
	);
async function appears(path: string): Promise<string> {
	await until(path, () => read(path) !== null);
	return read(path) ?? "";
}
const goes = (path: string) => until(`no ${path}`, () => read(path) === null);
const decisions = (window: string) =>
	(existsSync(join(state, "decisions"))
		? readdirSync(join(state, "decisions"))
		: []
	)
		.filter((name) => name.startsWith(`${window}.`))
		.map((name) => json(`decisions/${name}`));

describe("a turn", () => {
	test(
		"is a submitted prompt, a tool in flight, and its end",
		() =>
			withClaude("steps", {}, async (claude) => {
				await claude.say("go step by step");
				await beats("steps", "user_prompt");
				const submitted = Number(read("user-prompt/steps")!.split("\t")[0]);
				expect(submitted).toBe(beat("steps")!.lastActivity ?? Number.NaN);
				model.release("to the tool");
				const pending = await appears("pending-tool/steps.json");
				expect(JSON.parse(pending)).toMatchObject({ tool: "Bash" });
				writeFileSync(join(claude.cwd, "finish"), "");
				await beats("steps", "busy");
				await goes("pending-tool/steps.json");
				model.release("to the end");
				await beats("steps", "idle_prompt");
				expect(beat("steps")).toMatchObject({
					event: "Stop",
					sessionId: claude.session()!.sessionId,
					agentId: null,
				});
				expect(beat("steps")!.lastTurnEnd).not.toBeNull();
			}),
		LIMIT,
	);

	test(
		"that starts a job declares the wait for it, and the reminder reaches the model",
		() =>
			withClaude("job", {}, async (claude) => {
				await claude.say("submit a job");
				await beats("job", "idle_prompt");
				expect(beat("job")!.externalWaits).toMatchObject([{ kind: "nohup" }]);
				await until("the reminder", () =>
					JSON.stringify(claude.transcript()).includes("outlives this turn"),
				);
			}),
		LIMIT,
	);

	test(
		"that Esc ends fires no Stop: what was written stays, and ends by its age",
		() =>
			withClaude("esc", {}, async (claude) => {
				await claude.say("work on this for ever");
				await beats("esc", "user_prompt");
				await claude.waitForStatus("busy");
				claude.press("Escape");
				await claude.waitForStatus("idle");
				expect(beat("esc")!.state).toBe("user_prompt");
			}),
		LIMIT,
	);

	test(
		"that Esc ends within a tool is no activity",
		() =>
			withClaude("esc-tool", {}, async (claude) => {
				await claude.say("a long command");
				await appears("pending-tool/esc-tool.json");
				await claude.waitForScreen("tail -f");
				claude.press("Escape");
				await claude.waitForStatus("idle");
				expect(beat("esc-tool")!.state).toBe("user_prompt");
				// No event says that it is over: the record stands until the next tool.
				expect(read("pending-tool/esc-tool.json")).not.toBeNull();
				await claude.say("a short command");
				await beats("esc-tool", "idle_prompt");
				expect(read("pending-tool/esc-tool.json")).toBeNull();
			}),
		LIMIT,
	);

	test.each([
		[500, "transient", "paste"],
		[429, "transient", "paste"],
		[529, "transient", "paste"],
		[401, "auth", "operator"],
	] as const)(
		"that an HTTP %d ends is a marker %s:%s and no usage limit, until one ends well",
		(status, category, recovery) =>
			withClaude(`crash-${status}`, {}, async (claude) => {
				const marker = `turn-failure/crash-${status}.json`;
				await claude.say(`crash ${status}`);
				expect(JSON.parse(await appears(marker))).toMatchObject({
					category,
					recovery,
					session_id: claude.session()?.sessionId,
				});
				await claude.waitForStatus("idle");
				expect(read(`over-limit/crash-${status}.json`)).toBeNull();
				await claude.say("and now");
				await goes(marker);
			}),
		LIMIT,
	);
});

test(
	"a permission prompt is a decision with the tool that asks, until its turn ends",
	() =>
		withClaude("asks", { permissionMode: "default" }, async (claude) => {
			await claude.say("write a file");
			await claude.waitForStatus("waiting");
			await beats("asks", "permission_prompt");
			// The notice follows the prompt by some seconds.
			await until("the decision", () => decisions("asks").length);
			const [record] = decisions("asks");
			expect(record).toMatchObject({
				window: "asks",
				kind: "permission_prompt",
				session_id: claude.session()!.sessionId,
			});
			expect(JSON.parse(record.tool_context)).toMatchObject({ tool: "Write" });
			expect(record).not.toHaveProperty("resolved");
			await until("the notice's row", () =>
				read("worker-notifications.jsonl")?.includes('"window":"asks"'),
			);
			claude.press("Enter");
			await beats("asks", "idle_prompt");
			await until("the mark", () => decisions("asks")[0].resolved === true);
		}),
	LIMIT,
);

/** The worker's settings, with a mark behind one hook, so that a case knows that it has been. */
function settingsThatMark(program: string, mark: string): string {
	const text = readFileSync(settings.worker!, "utf8");
	const marked = JSON.stringify(JSON.parse(text), (key, value) =>
		key === "command" && String(value).includes(`/${program}.`)
			? `${value}; : > '${mark}'`
			: value,
	);
	const path = join(tmux.dir, `marked-${program}.json`);
	writeFileSync(path, marked);
	return path;
}

test(
	"a usage limit is a stamp with its reset, and no marker",
	async () => {
		const limited = startLimitServer("five_hour");
		const been = join(tmux.dir, "turn-failure-emit.been");
		const opts = {
			model: limited,
			env: { ...workerEnv("limited"), ...SUBSCRIBER },
			flags: ["--settings", settingsThatMark("turn-failure-emit", been)],
		};
		try {
			await withClaude("limited", opts, async (claude) => {
				await claude.say("hello there");
				const stamp = JSON.parse(await appears("over-limit/limited.json"));
				expect(stamp).toMatchObject({
					error_type: "rate_limit",
					window: "limited",
				});
				expect(stamp.reset_at).toMatch(/^\d+(?::\d\d)?[ap]m_/);
				expect(read("stopfailure-raw-captures.jsonl")).toContain(
					'"nexus_window":"limited"',
				);
				await until("turn-failure-emit to end", () => existsSync(been));
				expect(read("turn-failure/limited.json")).toBeNull();
			});
		} finally {
			await limited.stop();
		}
	},
	LIMIT,
);

test(
	"the orchestrator's session pins itself, names its window, and is refused the modal",
	() => {
		const opts = {
			flags: ["--settings", settings.orchestrator!],
			env: {
				NEXUS_STATE_DIR: state,
				NEXUS_IS_ORCHESTRATOR: "1",
				NEXUS_ORCHESTRATOR_WINDOW: "boss",
			},
		};
		return withClaude("shell-name", opts, async (boss) => {
			await boss.say("ask me something");
			const pin = await appears("orchestrator-session-id");
			expect(pin).toBe(`${boss.session()!.sessionId}\n`);
			await boss.waitForScreen("Understood.");
			await boss.waitForStatus("idle");
			const ask = ["display-message", "-p", "-t", boss.windowId];
			expect(tmux.run(...ask, "#{window_name}")).toBe("boss");
			await until("the refusal", () =>
				JSON.stringify(boss.transcript()).includes("BLOCKED:"),
			);
			await appears("orchestrator-paste-received");
			await appears("orchestrator-heartbeat");
		});
	},
	LIMIT,
);
