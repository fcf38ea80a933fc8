#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * From the moment a real Claude Code stands before a permission prompt or a question to the report
 * verified in the orchestrator's pane: median over N of each, default cadences, no hooks. `--runs N`
 * (default 10). Wanted: median under 4 s.
 */
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { lastEmitDeliveryPath } from "../monitor/_state/emit-delivery.ts";
import { startClaude } from "../tests/support/claude-harness.ts";
import type { ModelRule } from "../tests/support/model-server.ts";
import { waitUntil } from "../tests/support/wait-until.ts";
import { numberFlag, percentile, report } from "./measure.ts";
import { openWorld } from "./world.ts";

const runs = numberFlag("runs", 10);
const WINDOW = "worker-asks";
const QUESTION = {
	question: "Which database shall we take?",
	header: "Database",
	multiSelect: false,
	options: ["SQLite", "PostgreSQL"].map((label) => ({
		label,
		description: label,
	})),
};
const RULES: readonly ModelRule[] = [
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
	{
		when: "ask me",
		replies: [
			{
				kind: "tool",
				name: "AskUserQuestion",
				input: { questions: [QUESTION] },
			},
		],
	},
];

const world = await openWorld({ stillPanes: 12, clones: 4, rules: RULES });
const stamp = lastEmitDeliveryPath(world.stateDir);
const diffs = join(world.stateDir, "diffs");
const { tmux, model } = world;
// In the orchestrator's home, as a worker that it starts is.
const worker = await startClaude({
	tmux,
	model,
	window: WINDOW,
	homeOf: "orchestrator",
	permissionMode: "default",
});

/** When a report that names the waiting worker was verified, ms since the epoch; null: not yet. */
function toldAt(since: number): number | null {
	const written = readdirSync(diffs).flatMap((name) => {
		const path = join(diffs, name);
		const { mtimeMs } = statSync(path);
		const isIts =
			mtimeMs > since &&
			readFileSync(path, "utf8").includes(`- ${WINDOW} pane-absent (overlay`);
		return isIts ? [mtimeMs] : [];
	});
	const at = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	// Archived before it is pasted: a proof from before that is another report's.
	return written.some((archived) => at >= archived) ? at : null;
}

async function measure(prompt: string, n: number): Promise<number> {
	// Steps of 1.7 s, so that the questions fall on every phase of the loop.
	await Bun.sleep(3000 + ((n * 1700) % 10_000));
	await worker.say(prompt);
	const { statusUpdatedAt } = await worker.waitForStatus("waiting", 20_000);
	const since = statusUpdatedAt ?? Date.now();
	const told = await waitUntil("the report", () => toldAt(since), {
		limitMs: 120_000,
	});
	worker.press("Escape");
	await worker.waitForStatus("idle", 20_000);
	return (told - since) / 1000;
}

try {
	mkdirSync(diffs, { recursive: true });
	world.startWatcher();
	await Bun.sleep(15_000); // past the start and its sweep
	for (const [what, prompt] of [
		["permission prompt", "run it"],
		["question", "ask me"],
	] as const) {
		const seconds: number[] = [];
		for (let n = 0; n < runs; n++) {
			seconds.push(await measure(prompt, n));
			console.log(`${what} ${n + 1}: ${seconds.at(-1)?.toFixed(2)} s`);
		}
		const [p50, p95] = [percentile(seconds, 0.5), percentile(seconds, 0.95)];
		report({ name: `${what} to report`, value: p50, unit: "s", limit: 4 });
		console.log(
			`${what} -> report verified: median ${p50.toFixed(2)} s, p95 ${p95.toFixed(2)} s, worst ${Math.max(...seconds).toFixed(2)} s (n = ${runs})`,
		);
	}
} finally {
	await world.close();
}
