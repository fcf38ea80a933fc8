#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * How long `svc.ts status` takes with twenty services that run (checks of one system call each, as fast as a check can
 * be), and with one check that hangs until its bound; beside a bare `bun -e 0`. `--runs N` (default 20).
 * Wanted: under 120 ms with twenty services.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRealRoot } from "../tests/support/real-root.ts";
import { bareBun, numberFlag, percentile, report } from "./measure.ts";

const runs = numberFlag("runs", 20);
const services = numberFlag("services", 20);
const root = openRealRoot();
mkdirSync(join(root.root, "srv"));
const rows = Array.from(
	{ length: services },
	(_, n) =>
		`s${n}\t$NEXUS_ROOT/srv\ttouch s${n}; exec sleep 600\ttest -f s${n}\n`,
);
const registry = join(root.root, "monitor/services.registry");
writeFileSync(registry, rows.join(""));
try {
	await must("bootstrapRecover", ["--services-only", "--no-workers"]);
	const samples: number[] = [];
	const bare: number[] = [];
	for (let n = 0; n < runs; n++) {
		bare.push(bareBun());
		samples.push(await timedStatus());
	}
	print("bun -e 0", bare);
	const name = `svc.ts status, ${services} services`;
	print(name, samples);
	report({ name, value: percentile(samples, 0.5), unit: "ms", limit: 120 });
	writeFileSync(registry, `${rows.join("")}hung\t/tmp\tl\tsleep 60\n`);
	const env = { SVC_STATUS_HEALTH_TIMEOUT: "1" };
	print("… and one that hangs, bound 1 s", [await timedStatus(env)]);
} finally {
	writeFileSync(registry, rows.join(""));
	await root.run("svc", ["down"]);
	await root.close();
}

async function must(...call: Parameters<typeof root.run>): Promise<void> {
	const ran = await root.run(...call);
	if (ran.rc !== 0) throw new Error(`${call[0]}: exit ${ran.rc}\n${ran.err}`);
}

async function timedStatus(env: Record<string, string> = {}): Promise<number> {
	const start = performance.now();
	await must("svc", ["status"], env);
	return performance.now() - start;
}

function print(name: string, ms: readonly number[]): void {
	const [p50, p95] = [percentile(ms, 0.5), percentile(ms, 0.95)];
	console.log(
		`${name.padEnd(36)} p50 ${p50.toFixed(0).padStart(5)} ms   p95 ${p95.toFixed(0).padStart(5)} ms`,
	);
}
