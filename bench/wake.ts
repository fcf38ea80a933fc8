#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * From a decision file, and from a request's, to the paste verified in the orchestrator's pane: median over N of each,
 * default cadences, real Claude Code. `--runs N` (default 20). Wanted: median under 3 s.
 * "Verified" is the moment at which the watcher stamps the delivery.
 */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	decisionFileName,
	decisionFingerprint,
	decisionsDir,
	renderDecision,
} from "../monitor/_state/decisions.ts";
import { lastEmitDeliveryPath } from "../monitor/_state/emit-delivery.ts";
import { waitUntil } from "../tests/support/wait-until.ts";
import { numberFlag, percentile, report } from "./measure.ts";
import { openWorld } from "./world.ts";

const runs = numberFlag("runs", 20);
const WINDOW = "worker-0";
const KIND = "permission_prompt";
const world = await openWorld({ stillPanes: 12, clones: 4 });
const dir = decisionsDir(world.stateDir);
const stamp = lastEmitDeliveryPath(world.stateDir);

function fileDecision(n: number): number {
	const message = `Claude needs your permission to use Bash (${n})`;
	const fingerprint = decisionFingerprint(WINDOW, KIND, message);
	const path = join(
		dir,
		decisionFileName({ window: WINDOW, fingerprint, handled: false }),
	);
	const record = renderDecision({
		ts: new Date().toISOString(),
		window: WINDOW,
		sessionId: "bench",
		kind: KIND,
		promptExcerpt: message,
		toolContext: "",
		fingerprint,
	});
	writeFileSync(path, record);
	return statSync(path).mtimeMs;
}

function deliveredAt(): number {
	return statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Filed by the program that workers run; the moment at which it has ended. */
function fileRequest(n: number): number {
	const words = ["--origin", WINDOW, "--slug", `r${n}`, "--message", "Please?"];
	world.run("requestChannel", ["file", ...words]);
	return Date.now();
}

try {
	mkdirSync(dir, { recursive: true });
	world.startWatcher();
	await Bun.sleep(15_000); // past the start and its sweep
	for (const [what, file] of [
		["decision", fileDecision],
		["request", fileRequest],
	] as const) {
		const seconds: number[] = [];
		for (let n = 0; n < runs; n++) {
			// Steps of 1.7 s, so that the filings fall on every phase of the loop.
			await Bun.sleep(4000 + ((n * 1700) % 10_000));
			const filed = file(n);
			const later = () => (deliveredAt() > filed ? deliveredAt() : null);
			const verified = await waitUntil("the delivery", later, {
				limitMs: 120_000,
			});
			seconds.push((verified - filed) / 1000);
			console.log(`${what} ${n + 1}: ${seconds.at(-1)!.toFixed(2)} s`);
		}
		const [p50, p95] = [percentile(seconds, 0.5), percentile(seconds, 0.95)];
		report({ name: `${what} to paste`, value: p50, unit: "s", limit: 3 });
		console.log(
			`${what} file -> paste verified: median ${p50.toFixed(2)} s, p95 ${p95.toFixed(2)} s, worst ${Math.max(...seconds).toFixed(2)} s (n = ${runs})`,
		);
	}
} finally {
	await world.close();
}
