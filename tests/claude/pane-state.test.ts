/** The program against the real Claude Code in a real tmux: every witness speaks for itself. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Explanation } from "../../monitor/_pane/explain.ts";
import { BUN_FLAGS, CODE_ROOT } from "../../monitor/_sys/names.ts";
import { startClaude } from "../support/claude-harness.ts";
import { type ModelServer, startTestModel } from "../support/model-server.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";

const LIMIT = 60_000;
let tmux: PrivateTmux;
let model: ModelServer;

beforeAll(() => {
	tmux = startPrivateTmux();
	model = startTestModel([
		{ when: "wait", replies: [{ kind: "hang", text: "Well." }] },
		{
			when: "touch",
			replies: [
				{
					kind: "tool",
					name: "Bash",
					input: { command: "touch x", description: "Touch" },
				},
			],
		},
	]);
});
afterAll(async () => {
	await tmux.kill();
	await model.stop();
});

function paneState(...args: string[]) {
	const script = join(CODE_ROOT, "monitor/pane-state.ts");
	const done = Bun.spawnSync(
		[process.execPath, ...BUN_FLAGS, script, ...args],
		{
			env: {
				...tmux.env,
				NEXUS_STATE_DIR: join(tmux.dir, "state"),
				NEXUS_PANE_BOOT_GRACE_SECONDS: "0",
			},
		},
	);
	return {
		code: done.exitCode,
		out: done.stdout.toString().trimEnd(),
		err: done.stderr.toString(),
	};
}
function explain(target: string): Explanation {
	return JSON.parse(paneState(target, "--explain", "--json").out);
}
const saying = (e: Explanation, name: string) =>
	e.witnesses.find((w) => w.name === name);

test(
	"an idle Claude is idle by its session file, found through the process tree",
	async () => {
		const claude = await startClaude({ tmux, model, window: "still" });
		// At its start it runs a shell for a moment, to learn the person's settings.
		const told = await waitUntil("no shell below it", () => {
			const now = explain("still");
			return now.state === "working-background" ? null : now;
		});
		expect(told).toMatchObject({
			state: "idle",
			winner: { rung: 17, witness: "session" },
			conflicts: [],
			target: { session: "fleet", name: "still", pane: claude.paneId },
		});
		expect(saying(told, "process")).toMatchObject({ says: "alive" });
		expect(saying(told, "session")).toMatchObject({
			says: "idle",
			pid: claude.session()?.pid,
			version: claude.session()?.version,
		});
		expect(saying(told, "screen")).toMatchObject({
			says: "idle",
			input: "blank",
		});
		claude.type("half a thought");
		await claude.waitForScreen("half a thought");
		expect(paneState("still").out).toContain(
			"state=user-typing active=0 window=1 name=still input=typed",
		);
		claude.close();
	},
	LIMIT,
);

test(
	"a running turn is busy by session file and screen alike",
	async () => {
		const claude = await startClaude({ tmux, model, window: "runs" });
		await claude.say("wait for it");
		await claude.waitForStatus("busy");
		await claude.waitForScreen(/esc to interrupt/);
		const told = explain("runs");
		expect(told).toMatchObject({
			state: "busy",
			winner: { rung: 4 },
			conflicts: [],
		});
		expect(saying(told, "screen")).toMatchObject({ says: "busy" });
		expect(told.line).not.toContain("content_hash");
		claude.close();
	},
	LIMIT,
);

test(
	"a permission prompt is named by the screen",
	async () => {
		const claude = await startClaude({
			tmux,
			model,
			window: "asks",
			permissionMode: "default",
		});
		await claude.say("touch it");
		await claude.waitForScreen("Do you want to proceed?");
		await claude.waitForStatus("waiting");
		const told = explain("asks");
		expect(told).toMatchObject({
			state: "blocked",
			winner: { rung: 2, witness: "screen" },
		});
		expect(told.line).toContain("overlay=permission");
		expect(saying(told, "session")).toMatchObject({ says: "blocked" });
		claude.close();
	},
	LIMIT,
);

test(
	"a Claude that was killed is absent, whatever its last frame and its session file say",
	async () => {
		const claude = await startClaude({ tmux, model, window: "dies" });
		tmux.run("set-option", "-p", "-t", claude.paneId, "remain-on-exit", "on");
		process.kill(claude.panePid, "SIGKILL");
		const dead = () =>
			tmux.run("display-message", "-p", "-t", claude.paneId, "#{pane_dead}");
		await claude.waitForScreen(() => dead() === "1");
		expect(paneState("dies").out).toBe(
			`state=absent active=0 window=${tmux.run("display-message", "-p", "-t", claude.paneId, "#{window_index}")} name=dies evidence=pane_dead`,
		);
		claude.close();
		const gone = paneState("dies");
		expect(gone).toMatchObject({ code: 3, out: "" });
		expect(gone.err).toContain("dies");
	},
	LIMIT,
);
