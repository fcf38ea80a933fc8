/** The whole watcher, a real orchestrator, and a real worker that stands before a question. No hooks: only what is seen. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type Claude, startClaude } from "../support/claude-harness.ts";
import { type ModelServer, startTestModel } from "../support/model-server.ts";
import { type PrivateTmux, startPrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";
import { endWatchers, makeRoot, startedWatcher } from "./watcher-process.ts";

const LIMIT = 90_000;
let tmux: PrivateTmux;
let model: ModelServer;
let orchestrator: Claude;
let worker: Claude;
beforeAll(async () => {
	tmux = startPrivateTmux();
	model = startTestModel([
		{
			when: "run it",
			replies: [
				{
					kind: "tool",
					name: "Bash",
					input: { command: "curl https://example.com", description: "Fetch" },
				},
			],
		},
	]);
	orchestrator = await startClaude({ tmux, model, window: "orchestrator" });
	worker = await startClaude({
		tmux,
		model,
		window: "worker-asks",
		homeOf: "orchestrator",
		permissionMode: "default",
	});
}, LIMIT);
afterEach(endWatchers);
afterAll(async () => {
	await tmux.kill();
	await model.stop();
});

test(
	"each permission prompt of a worker is told once, and woken for by its session file",
	async () => {
		const at = makeRoot(tmux, "blocked");
		const watcher = await startedWatcher(at, [], {
			env: { CLAUDE_CONFIG_DIR: orchestrator.configDir },
		});
		const row = "- worker-asks pane-absent (overlay waits for an answer";
		const told = () =>
			orchestrator.userTexts().filter((text) => text.includes(row)).length;
		let askedMs = 0;
		const ask = async (times: number) => {
			// A question is known by the second in which it was put.
			await waitUntil("another second", () => Date.now() > askedMs + 1_000);
			await worker.say("run it");
			await worker.waitForStatus("waiting", 20_000);
			askedMs = Date.now();
			await waitUntil(`report ${times}`, () => told() >= times, {
				limitMs: 30_000,
				describe: watcher.log,
			});
			await waitUntil(
				"the delivery to be learned",
				() =>
					at.has("idle-state.tsv") &&
					at.state("idle-state.tsv").includes("worker-asks\tpane-absent\t"),
				{ describe: watcher.log },
			);
			expect(told()).toBe(times);
			worker.press("Escape");
			await worker.waitForStatus("idle", 20_000);
		};
		await ask(1);
		await ask(2);
		watcher.signal("SIGTERM");
		expect(await watcher.exited).toBe(0);
		expect(told()).toBe(2);
	},
	LIMIT,
);
