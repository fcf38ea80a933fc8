#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * What a hook costs the agent that waits for it: every command of the worker's and the orchestrator's settings, with a
 * payload of its event as the real Claude Code sends it, against a bare `bun -e 0`. `--runs N` (default 60) of each, in
 * turns, so that whatever else the machine does slows all alike. Wanted: a median below 3 times the bare one.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CODE_ROOT } from "../monitor/_sys/names.ts";
import { launched, type Payload } from "../tests/hooks/wired.ts";
import { bareBun, numberFlag, percentile, timed } from "./measure.ts";

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

const bare = percentile(samples.get("bun -e 0") ?? [], 0.5);
for (const [name, times] of samples) {
	const [p50, p95] = [0.5, 0.95].map((p) => percentile(times, p));
	const ratio = p50! / bare;
	console.log(
		`${name.padEnd(36)} p50 ${p50!.toFixed(1).padStart(5)} ms  p95 ${p95!.toFixed(1).padStart(5)} ms  ${ratio.toFixed(2)} x bare${ratio >= WANTED ? "  above the wanted" : ""}`,
	);
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
