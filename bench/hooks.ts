#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * What a hook costs the agent that waits for it: every command of the worker's and the orchestrator's settings, with a
 * payload of its event as the real Claude Code sends it, against a bare `bun -e 0`. `--runs N` (default 60) of each, in
 * turns, so that whatever else the machine does slows all alike. Wanted: a median below 3 times the bare one. On a machine
 * with more to do than processors the median says more of the machine; the fastest tenth then says more of the hook.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CODE_ROOT } from "../monitor/_sys/names.ts";
import { launched, type Payload } from "../tests/hooks/wired.ts";
import { bareBun, numberFlag, percentile, report, timed } from "./measure.ts";

const WANTED = 3;
const SCENES = ["tool-use", "failed-tool", "permission", "limit-five-hour"];

const runs = numberFlag("runs", 60);
const payloads = new Map(
	SCENES.flatMap((scene) => scenePayloads(scene)).map((payload) => [
		String(payload.hook_event_name),
		JSON.stringify(payload),
	]),
);
const state = mkdtempSync(join(tmpdir(), "nexus-bench-"));
const env = { NEXUS_STATE_DIR: state, NEXUS_WORKER_WINDOW: "w1" };
const hooks = new Map(
	[
		...(await launched("worker", state)),
		...(await launched("orchestrator", state)),
	].map((hook) => [hook.short, hook]),
);
const samples = new Map<string, number[]>([["bun -e 0", []]]);
for (let run = 0; run <= runs; run++) {
	// The first round warms the disk and is not counted.
	const note = (name: string, ms: number) => {
		if (run > 0) samples.set(name, [...(samples.get(name) ?? []), ms]);
	};
	note("bun -e 0", bareBun());
	for (const { short, command, event } of hooks.values()) {
		const stdin = Buffer.from(payloads.get(event) ?? "{}");
		const argv = wordsOf(command);
		note(
			short,
			timed(() => {
				Bun.spawnSync(argv, { env, stdin, stdout: "ignore", stderr: "ignore" });
			}),
		);
	}
}
rmSync(state, { recursive: true, force: true });

const [bareFast, bareMedian] = quantiles("bun -e 0");
for (const name of samples.keys()) {
	const [fast, median, p95] = quantiles(name);
	const ratio = median / bareMedian;
	if (name !== "bun -e 0")
		report({
			name: `hook ${name}`,
			value: ratio,
			unit: "x bare",
			limit: WANTED,
		});
	console.log(
		`${name.padEnd(36)} p50 ${ms(median)}  p95 ${ms(p95)}  ${ratio.toFixed(2)} x bare (p10 ${ms(fast)}  ${(fast / bareFast).toFixed(2)} x)${ratio >= WANTED ? "  above the wanted" : ""}`,
	);
}

function quantiles(name: string): [number, number, number] {
	const times = samples.get(name) ?? [];
	const at = (p: number) => percentile(times, p);
	return [at(0.1), at(0.5), at(0.95)];
}

function ms(value: number): string {
	return `${value.toFixed(1).padStart(5)} ms`;
}

function scenePayloads(scene: string): readonly Payload[] {
	const path = join(CODE_ROOT, `tests/fixtures/hooks/2.1.332/${scene}.jsonl`);
	const lines = readFileSync(path, "utf8").trimEnd().split("\n");
	return lines.map((line) => JSON.parse(line));
}

/** A command of the settings without the shell that runs it, whose start is none of ours. */
function wordsOf(command: string): string[] {
	return (command.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
		word.replaceAll('"', ""),
	);
}
