#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * How long an operator waits: the launcher from start to return, `svc.ts status`, `ng watcher-status`;
 * p50 and p95, beside a bare `bun -e 0` in the same run. `--runs N` (default 20).
 * Wanted: launcher under 1.5 s, the two displays under 120 ms.
 */
import { bareBun, numberFlag, percentile, report, timed } from "./measure.ts";
import { openWorld } from "./world.ts";

const runs = numberFlag("runs", 20);
const world = await openWorld({ stillPanes: 8, clones: 1 });
const samples = new Map<string, number[]>();
const sample = (name: string, ms: number) =>
	samples.set(name, [...(samples.get(name) ?? []), ms]);
try {
	for (let n = 0; n < runs; n++) {
		sample("bun -e 0", bareBun());
		sample(
			"launcher.ts, to return",
			timed(() => world.startWatcher()),
		);
		sample(
			"svc.ts status",
			timed(() => world.run("svc", ["status"])),
		);
		const ng = timed(() => {
			Bun.spawnSync(["monitor/ng", "watcher-status"], {
				env: world.env,
				cwd: `${import.meta.dir}/..`,
			});
		});
		sample("ng watcher-status", ng);
		await world.stopWatcher();
	}
	const bare = percentile(samples.get("bun -e 0")!, 0.5);
	console.log(`${"".padEnd(26)}     p50      p95   p50 / bare bun`);
	for (const [name, ms] of samples) {
		const [p50, p95] = [percentile(ms, 0.5), percentile(ms, 0.95)];
		const limit = name.startsWith("launcher") ? 1500 : 120;
		if (name !== "bun -e 0") report({ name, value: p50, unit: "ms", limit });
		console.log(
			`${name.padEnd(26)}${p50.toFixed(0).padStart(5)} ms ${p95.toFixed(0).padStart(5)} ms   ${(p50 / bare).toFixed(1)}`,
		);
	}
} finally {
	await world.close();
}
