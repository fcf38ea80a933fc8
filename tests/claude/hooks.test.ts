/** A worker as it is launched, with the rendered worker-settings.json: what the real Claude Code makes its hooks write. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseHeartbeat } from "../../monitor/_state/heartbeat.ts";
import { renderedSettingsPath } from "../../monitor/_state/rendered-settings.ts";
import { launched, type Role } from "../hooks/wired.ts";
import { SUBSCRIBER, startLimitServer } from "../record/limit-server.ts";
import { type Claude, startClaude } from "../support/claude-harness.ts";
import {
	type ModelRule,
	type ModelServer,
	scriptOf,
	startTestModel,
} from "../support/model-server.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";

const LIMIT = 90_000;
const WRITE = {
	kind: "tool" as const,
	name: "Write",
	input: { file_path: "note.txt", content: "x" },
};
const QUESTION = {
	kind: "tool" as const,
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
const bash = (command: string) => ({
	kind: "tool" as const,
	name: "Bash",
	input: { command, description: "A command" },
});

/** A refused prompt stays in the next request: the last of them counts. */
const CRASH: ModelRule = {
	when: /crash (401|429|500|529)(?![\s\S]*crash \d)/,
	replies: (status) => [{ kind: "error", status: statusOf(status) }],
};
const STATUSES = [401, 429, 500, 529] as const;
const statusOf = (text = "") =>
	STATUSES.find((status) => `${status}` === text) ?? 500;
const RULES: readonly ModelRule[] = [
	{ when: "run a command", replies: [bash("sleep 0.3; echo done")] },
	{ when: "submit a job", replies: [bash("nohup true > /dev/null &")] },
	{ when: "work on", replies: [{ kind: "hang", text: "Working" }] },
	{ when: "long command", replies: [bash("tail -f /dev/null")] },
	{ when: "write a file", replies: [WRITE] },
	{ when: "ask me", replies: [QUESTION] },
];

let tmux: PrivateTmux;
let model: ModelServer;
let state: string;
/** Asks before it writes. */
let asks: Claude;
/** Asks nothing. */
let free: Claude;

beforeAll(async () => {
	tmux = startPrivateTmux();
	state = join(tmux.dir, "state");
	model = startTestModel([CRASH, ...RULES]);
	[asks, free] = await Promise.all([
		worker("asks", { permissionMode: "default" }),
		worker("free", {}),
	]);
}, LIMIT);
afterAll(async () => {
	await tmux.kill();
	await model.stop();
});

async function settings(role: Role): Promise<string> {
	await launched(role, tmux.dir);
	return renderedSettingsPath(tmux.dir, role);
}

async function worker(
	window: string,
	opts: Partial<Parameters<typeof startClaude>[0]>,
): Promise<Claude> {
	return startClaude({
		tmux,
		model,
		window,
		...opts,
		flags: ["--settings", await settings("worker")],
		env: { NEXUS_STATE_DIR: state, NEXUS_WORKER_WINDOW: window, ...opts.env },
	});
}

const read = (path: string): string | null =>
	existsSync(join(state, path))
		? readFileSync(join(state, path), "utf8")
		: null;
const json = (path: string) => JSON.parse(read(path) ?? "null");
const beat = (window: string) =>
	parseHeartbeat(read(`heartbeat/${window}.json`) ?? "");
const beats = (window: string, wanted: string) =>
	waitUntil(
		`${window} to be ${wanted}`,
		() => beat(window)?.state === wanted || null,
		{
			limitMs: 20_000,
			describe: () => `${JSON.stringify(beat(window))}`,
		},
	);
async function appears(path: string): Promise<string> {
	const isThere = () => read(path) !== null || null;
	await waitUntil(path, isThere, { limitMs: 20_000 });
	return read(path) ?? "";
}
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
		async () => {
			await free.say("run a command");
			await beats("free", "user_prompt");
			const submitted = Number(read("user-prompt/free")!.split("\t")[0]);
			expect(Math.abs(Date.now() / 1000 - submitted)).toBeLessThan(60);
			expect(JSON.parse(await appears("pending-tool/free.json"))).toMatchObject(
				{
					tool: "Bash",
				},
			);
			await beats("free", "busy");
			await beats("free", "idle_prompt");
			expect(beat("free")).toMatchObject({
				event: "Stop",
				sessionId: free.session()!.sessionId,
				agentId: null,
			});
			expect(beat("free")!.lastTurnEnd).not.toBeNull();
			expect(read("pending-tool/free.json")).toBeNull();
		},
		LIMIT,
	);

	test(
		"that starts a job declares the wait for it, and the reminder reaches the model",
		async () => {
			await free.say("submit a job");
			await waitUntil(
				"the wait",
				() => beat("free")?.externalWaits.length || null,
				{
					limitMs: 20_000,
				},
			);
			await beats("free", "idle_prompt");
			expect(beat("free")!.externalWaits).toMatchObject([{ kind: "nohup" }]);
			const told = JSON.stringify(free.transcript());
			expect(told).toContain("outlives this turn");
		},
		LIMIT,
	);

	test(
		"that Esc ends fires no Stop: what was written stays, and ends by its age",
		async () => {
			await free.say("work on this for ever");
			await free.waitForStatus("busy");
			await beats("free", "user_prompt");
			free.press("Escape");
			await free.waitForStatus("idle");
			expect(beat("free")!.state).toBe("user_prompt");
		},
		LIMIT,
	);

	test(
		"that Esc ends within a tool is no activity",
		async () => {
			await free.say("a long command");
			await appears("pending-tool/free.json");
			await free.waitForScreen("tail -f");
			free.press("Escape");
			await free.waitForStatus("idle");
			expect(beat("free")!.state).toBe("user_prompt");
			// No event says that it is over: the record stands until the next tool.
			await free.say("run a command");
			await beats("free", "idle_prompt");
			expect(read("pending-tool/free.json")).toBeNull();
		},
		LIMIT,
	);

	test.each([
		[500, "transient", "paste"],
		[429, "transient", "paste"],
		[529, "transient", "paste"],
		[401, "auth", "operator"],
	] as const)(
		"that an HTTP %d ends is a marker %s:%s, and no usage limit",
		async (status, category, recovery) => {
			rmSync(join(state, "turn-failure/free.json"), { force: true });
			await free.say(`crash ${status}`);
			await appears("turn-failure/free.json");
			expect(json("turn-failure/free.json")).toMatchObject({
				category,
				recovery,
				session_id: free.session()?.sessionId,
			});
			expect(read("over-limit/free.json")).toBeNull();
			await free.waitForStatus("idle");
		},
		LIMIT,
	);

	test(
		"that ends well takes the marker of the last one away",
		async () => {
			// The refused prompts stay in the next request, so the script must not refuse again.
			model.play(scriptOf(RULES));
			await free.say("and now");
			await waitUntil(
				"the marker to go",
				() => read("turn-failure/free.json") === null,
			);
		},
		LIMIT,
	);
});

test(
	"a permission prompt is a decision with the tool that asks, until its turn ends",
	async () => {
		await asks.say("write a file");
		await asks.waitForStatus("waiting");
		await beats("asks", "permission_prompt");
		// The notice follows the prompt by some seconds.
		await waitUntil("the decision", () => decisions("asks").length || null, {
			limitMs: 30_000,
		});
		const [record] = decisions("asks");
		expect(record).toMatchObject({
			window: "asks",
			kind: "permission_prompt",
			session_id: asks.session()!.sessionId,
		});
		expect(JSON.parse(record.tool_context)).toMatchObject({ tool: "Write" });
		expect(record).not.toHaveProperty("resolved");
		expect(await appears("worker-notifications.jsonl")).toContain(
			'"window":"asks"',
		);
		asks.press("Enter");
		await beats("asks", "idle_prompt");
		await waitUntil(
			"the mark",
			() => decisions("asks")[0].resolved === true || null,
		);
	},
	LIMIT,
);

test(
	"a usage limit is a stamp with its reset, and no marker",
	async () => {
		const limited = startLimitServer("five_hour");
		try {
			const claude = await worker("limited", {
				model: limited,
				env: SUBSCRIBER,
			});
			await claude.say("hello there");
			await appears("over-limit/limited.json");
			const stamp = json("over-limit/limited.json");
			expect(stamp).toMatchObject({
				error_type: "rate_limit",
				window: "limited",
			});
			expect(stamp.reset_at).toMatch(/^\d+(?::\d\d)?[ap]m_/);
			await Bun.sleep(500);
			expect(read("turn-failure/limited.json")).toBeNull();
			expect(read("stopfailure-raw-captures.jsonl")).toContain(
				'"nexus_window":"limited"',
			);
			claude.close();
		} finally {
			await limited.stop();
		}
	},
	LIMIT,
);

test(
	"the orchestrator's session pins itself, names its window, and is refused the modal",
	async () => {
		const boss = await startClaude({
			tmux,
			model,
			window: "shell-name",
			flags: ["--settings", await settings("orchestrator")],
			env: {
				NEXUS_STATE_DIR: state,
				NEXUS_IS_ORCHESTRATOR: "1",
				NEXUS_ORCHESTRATOR_WINDOW: "boss",
			},
		});
		await boss.say("ask me something");
		await appears("orchestrator-session-id");
		expect(read("orchestrator-session-id")).toBe(
			`${boss.session()!.sessionId}\n`,
		);
		await boss.waitForScreen("Understood.", 20_000);
		await boss.waitForStatus("idle");
		const name = tmux.run(
			"display-message",
			"-p",
			"-t",
			boss.windowId,
			"#{window_name}",
		);
		expect(name).toBe("boss");
		expect(JSON.stringify(boss.transcript())).toContain("BLOCKED:");
		await appears("orchestrator-paste-received");
		await appears("orchestrator-heartbeat");
		boss.close();
	},
	LIMIT,
);
