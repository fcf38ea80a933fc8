#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * How long an agent waits for the verbs of `ng` that ask nobody: p50 and p95 of the wall time, beside a bare `bun -e 0`
 * in the same run. `--runs N` (default 40). Wanted: each p50 under 60 ms; above it the exit code is 1.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bareBun, numberFlag, percentile, report, timed } from "./measure.ts";

const LIMIT_MS = 60;
const runs = numberFlag("runs", 40);
const ng = resolve(import.meta.dir, "../monitor/ng");
const root = mkdtempSync(join(tmpdir(), "bench-ng-"));
const complete = join(root, "report.md");

/** Complete, and about 5 KB long. */
const text = `---
project: bench
date: 2026-01-01
session-id: 00000000-0000-4000-8000-000000000000
status: completed
---

# A report

${["Summary", "What Was Done", "Current State", "What Remains", "How to Resume"]
	.map((title) => `## ${title}\n\n${"It was measured again. ".repeat(42)}\n`)
	.join("\n")}`;

const calls: readonly (readonly [string, readonly string[]])[] = [
	["ng help", ["help"]],
	["ng log-action", ["log-action", "bench", "--event", "tick", "--note", "x"]],
	["ng report-check", ["report-check", complete]],
];

try {
	mkdirSync(join(root, "config"));
	mkdirSync(join(root, "monitor/.state"), { recursive: true });
	writeFileSync(
		join(root, "config/nexus.yml"),
		"github:\n  repo: acme/hub\n  user_login: op\n",
		{ mode: 0o600 },
	);
	writeFileSync(complete, text);
	const { HOME = root, PATH = "" } = process.env;
	const env = { HOME, PATH, NEXUS_ROOT: root, NEXUS_BUN: process.execPath };
	const samples = new Map<string, number[]>([["bun -e 0", []]]);
	for (let n = 0; n < runs; n++) {
		samples.get("bun -e 0")?.push(bareBun());
		for (const [name, args] of calls) {
			const ms = timed(() => {
				const ran = Bun.spawnSync([ng, ...args], { env, cwd: root });
				if (ran.exitCode !== 0) throw new Error(`${name}: ${ran.stderr}`);
			});
			samples.set(name, [...(samples.get(name) ?? []), ms]);
		}
	}
	console.log(`${"".padEnd(18)}    p50       p95`);
	for (const [name, ms] of samples) {
		const [p50, p95] = [percentile(ms, 0.5), percentile(ms, 0.95)];
		const isSlow = p50 > LIMIT_MS;
		if (name !== "bun -e 0")
			report({ name, value: p50, unit: "ms", limit: LIMIT_MS });
		if (isSlow) process.exitCode = 1;
		console.log(
			`${name.padEnd(18)}${p50.toFixed(1).padStart(6)} ms ${p95.toFixed(1).padStart(6)} ms${isSlow ? "  too slow" : ""}`,
		);
	}
} finally {
	rmSync(root, { recursive: true, force: true });
}
