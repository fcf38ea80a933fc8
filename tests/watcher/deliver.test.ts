/** The whole watcher with a real Claude Code as its orchestrator. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Claude, startClaude } from "../support/claude-harness.ts";
import { type ModelServer, startTestModel } from "../support/model-server.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";
import { endWatchers, makeRoot, startedWatcher } from "./watcher-process.ts";

const LIMIT = 60_000;
let tmux: PrivateTmux;
let model: ModelServer;
let orchestrator: Claude;
beforeAll(async () => {
	tmux = startPrivateTmux();
	model = startTestModel();
	tmux.run("new-window", "-d", "-n", "worker-1", "cat");
	orchestrator = await startClaude({ tmux, model, window: "orchestrator" });
}, LIMIT);
afterEach(endWatchers);
afterAll(async () => {
	await tmux.kill();
	await model.stop();
});

test(
	"a worker's question reaches the orchestrator once, and is learned as told",
	async () => {
		const at = makeRoot(tmux, "deliver");
		const decisions = join(at.stateDir, "decisions");
		mkdirSync(decisions);
		const watcher = await startedWatcher(at, [], {
			env: { CLAUDE_CONFIG_DIR: orchestrator.configDir },
		});
		const fp = "f5a582351dfd";
		const record = {
			ts: "2026-05-11T20:42:01Z",
			window: "worker-1",
			session_id: "",
			kind: "permission_prompt",
			prompt_excerpt: "Allow Bash to run git push --force",
			tool_context: "",
			fingerprint: fp,
		};
		writeFileSync(
			join(decisions, `worker-1.${fp}.json`),
			`${JSON.stringify(record)}\n`,
		);
		const row = `window=worker-1 fp=${fp}`;
		expect(await orchestrator.waitForUserText(row, 30_000)).toBe(1);
		await waitUntil(
			"the delivery to be learned",
			() =>
				at.has("pending-decisions-emit-state.tsv") &&
				at.state("pending-decisions-emit-state.tsv").includes(fp),
			{ describe: watcher.log },
		);
		expect(at.state("scheduler-staging/pending_decisions.out")).toBe("");
		const carriers = readdirSync(join(at.stateDir, "diffs")).filter((name) =>
			at.state(`diffs/${name}`).includes(row),
		);
		expect(carriers).toHaveLength(1);
		expect(watcher.log()).toContain("paste window=orchestrator rc=0");
		watcher.signal("SIGTERM");
		expect(await watcher.exited).toBe(0);
		expect(await orchestrator.waitForUserText(row)).toBe(1);
	},
	LIMIT,
);
