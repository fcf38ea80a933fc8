/** The whole watcher over a real Claude Code that asks for permission. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Claude, startClaude } from "../support/claude-harness.ts";
import { type ModelServer, startTestModel } from "../support/model-server.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";
import { endWatchers, makeRoot, startedWatcher } from "./watcher-process.ts";

const LIMIT = 150_000;
let tmux: PrivateTmux;
let model: ModelServer;
let worker: Claude;
beforeAll(async () => {
	tmux = startPrivateTmux();
	const bash = (command: string) => ({
		kind: "tool" as const,
		name: "Bash",
		input: { command, description: "As asked" },
	});
	model = startTestModel([
		{ when: "touch it", replies: [bash("touch touched")] },
		{ when: "publish it", replies: [bash("npm publish")] },
	]);
	worker = await startClaude({
		tmux,
		model,
		window: "worker-1",
		permissionMode: "default",
	});
}, LIMIT);
afterEach(endWatchers);
afterAll(async () => {
	await tmux.kill();
	await model.stop();
});

test(
	"a harmless prompt is answered, a vetoed one becomes a pending decision",
	async () => {
		const at = makeRoot(tmux, "unstick");
		const watcher = await startedWatcher(at, [], {
			env: { CLAUDE_CONFIG_DIR: worker.configDir },
		});
		await worker.say("touch it");
		await waitUntil(
			"the answer",
			() => existsSync(join(worker.cwd, "touched")),
			{ limitMs: 60_000, describe: watcher.log },
		);
		await worker.waitForStatus("idle");
		expect(at.state("watcher-unstick.log")).toContain(
			"window=worker-1 case=A action=sent-Enter",
		);
		expect(at.state("machine-input.tsv")).toContain("\tunstick-permission\n");

		await worker.say("publish it");
		await waitUntil(
			"the refusal",
			() =>
				at.state("watcher-unstick.log").includes("action=refused verdict=veto"),
			{ limitMs: 60_000, describe: watcher.log },
		);
		expect(worker.screen()).toContain("❯ 1. Yes");
		watcher.signal("SIGTERM");
		expect(await watcher.exited).toBe(0);
	},
	LIMIT,
);
