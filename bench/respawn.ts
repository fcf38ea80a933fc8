#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * From the moment a real orchestrator is killed: until the watcher has noticed, and until its successor has resumed the
 * session and has the brief in its transcript; median and worst over N. `--runs N` (default 5). Wanted: noticed within
 * 5 s, replaced and briefed within 60 s.
 */
import {
	type OrchestratorWorld,
	withOrchestratorWorld,
} from "../tests/support/orchestrator-world.ts";
import { waitUntil } from "../tests/support/wait-until.ts";
import { numberFlag, percentile, report } from "./measure.ts";

const runs = numberFlag("runs", 5);
const noticed: number[] = [];
const briefed: number[] = [];
// So many in a row would trip the guard against crash loops.
await withOrchestratorWorld(
	{ env: { MONITOR_RESPAWN_LOOP_LIMIT: "100" } },
	killAgainAndAgain,
);
for (const [what, values, wanted] of [
	["noticed", noticed, 5],
	["replaced, resumed and briefed", briefed, 60],
] as const) {
	const [p50, worst] = [percentile(values, 0.5), Math.max(...values)];
	report({
		name: `orchestrator ${what}`,
		value: p50,
		unit: "s",
		limit: wanted,
	});
	console.log(
		`${what}: median ${p50.toFixed(1)} s, worst ${worst.toFixed(1)} s (n = ${runs}; wanted: within ${wanted} s)`,
	);
}

async function killAgainAndAgain(world: OrchestratorWorld): Promise<void> {
	let orchestrator = await world.orchestrator();
	for (let n = 0; n < runs; n++) {
		// Steps of 1.7 s, so that the kills fall on every phase of the loop.
		await Bun.sleep(5000 + ((n * 1700) % 10_000));
		const known = misses(world);
		const start = performance.now();
		const seconds = () => (performance.now() - start) / 1000;
		process.kill(orchestrator.pid, "SIGKILL");
		const next = world.nextOrchestrator(orchestrator);
		await waitUntil("the miss", () => misses(world) > known, {
			limitMs: 20_000,
		});
		noticed.push(seconds());
		orchestrator = await next;
		briefed.push(seconds());
		console.log(
			`run ${n + 1}: noticed ${noticed.at(-1)?.toFixed(1)} s, briefed and done ${briefed.at(-1)?.toFixed(1)} s`,
		);
	}
}

function misses({ state }: OrchestratorWorld): number {
	return state("watcher.log").split("not found (1 poll(s))").length;
}
