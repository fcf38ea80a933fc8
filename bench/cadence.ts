#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * What is gathered rather than hurried, at default cadences, from its moment to the verified report: a new report of a
 * worker, a bell, and the row of a real Claude Code whose turn has ended. `--runs N` (default 5) of all three at once.
 * Wanted, the worst of them: a look (30 s), the emit (60 s) and the loop's longest sleep (10 s) after it, with 5 s for the
 * paste; for the idle row, which is due a minute after the turn (`monitor.idle_threshold_seconds`), 60 s more.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastEmitDeliveryPath } from "../monitor/_state/emit-delivery.ts";
import { mtimeOf } from "../monitor/_state/peek.ts";
import { startClaude } from "../tests/support/claude-harness.ts";
import { waitUntil } from "../tests/support/wait-until.ts";
import { numberFlag, percentile, report } from "./measure.ts";
import { doors, openWorld } from "./world.ts";

const runs = numberFlag("runs", 5);
const WORKER = "worker-ends";
const RINGER = "worker-rings";
const GATHERED_S = 105;
const IDLE_S = 60 + GATHERED_S;

const world = await openWorld({ stillPanes: 12, clones: 4 });
const { tmux, model, root, stateDir } = world;
const diffs = join(stateDir, "diffs");
const worker = await startClaude({
	tmux,
	model,
	window: WORKER,
	homeOf: "orchestrator",
});
tmux.run("new-window", "-d", "-t", "fleet:", "-n", RINGER, "sh");

const mtimeMs = (path: string) => (mtimeOf(doors.files, path) ?? 0) * 1000;

/** Seconds from now, or from `since` (ms since the epoch), to the proof of the first report later than it that has such a line. */
async function told(line: RegExp, since = Date.now()): Promise<number> {
	const at = await waitUntil(
		`a report with ${line}`,
		() => {
			const written = readdirSync(diffs).flatMap((name) => {
				const path = join(diffs, name);
				const at = mtimeMs(path);
				return at > since && line.test(readFileSync(path, "utf8")) ? [at] : [];
			});
			// Archived before it is pasted: a proof from before that is another report's.
			const proven = mtimeMs(lastEmitDeliveryPath(stateDir));
			return written.some((at) => proven >= at) ? proven : null;
		},
		{ limitMs: 400_000 },
	);
	return (at - since) / 1000;
}

/** Its row names when it went idle: one that says so of an earlier turn is another. */
async function turnEnds(): Promise<number> {
	await worker.say("go on");
	const { statusUpdatedAt } = await worker.waitForStatus("idle", 30_000);
	const ended = statusUpdatedAt ?? Date.now();
	const times = [-1, 0, 1, 2].map((more) =>
		doors.clock.iso(Math.floor(ended / 1000) + more).slice(11, 19),
	);
	const row = `- ${WORKER} idle .*\\[since (${times.join("|")})\\]`;
	return told(new RegExp(row), ended);
}

try {
	mkdirSync(diffs, { recursive: true });
	world.startWatcher();
	await Bun.sleep(15_000); // past the start and its sweep
	const seconds = { report: [], bell: [], idle: [] } as Record<
		string,
		number[]
	>;
	for (let n = 0; n < runs; n++) {
		const name = `2026-01-0${1 + (n % 9)}-bench-${n}.md`;
		writeFileSync(join(root, "reports", name), "# Done\n");
		tmux.run("send-keys", "-t", `fleet:${RINGER}`, "printf '\\a'", "Enter");
		const [filed, rung, ended] = await Promise.all([
			told(new RegExp(`^\\+.*${name}$`, "m")),
			told(new RegExp(`- ${RINGER} \\(idx`)),
			turnEnds(),
		]);
		seconds.report?.push(filed);
		seconds.bell?.push(rung);
		seconds.idle?.push(ended);
		console.log(
			`${n + 1}: report ${filed.toFixed(1)}, bell ${rung.toFixed(1)}, idle row ${ended.toFixed(1)} s`,
		);
	}
	for (const [what, all] of Object.entries(seconds)) {
		const worst = Math.max(...all);
		const limit = what === "idle" ? IDLE_S : GATHERED_S;
		report({ name: `${what} to paste, worst`, value: worst, unit: "s", limit });
		console.log(
			`${what} -> report verified: median ${percentile(all, 0.5).toFixed(1)} s, worst ${worst.toFixed(1)} s (n = ${runs}, wanted at most ${limit})`,
		);
	}
} finally {
	await world.close();
}
