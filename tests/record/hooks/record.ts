#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * Records what the real Claude Code hands its hooks, scene by scene.
 *
 *   tests/record/hooks/record.ts [--version V] [--only PATTERN] [--save]
 *
 * Prints the events of each scene; `--save` writes tests/fixtures/hooks/<version>/<scene>.jsonl, a payload a line in
 * the order of their arrival.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import minimist from "minimist";
import { startClaude } from "../../support/claude-harness.ts";
import { startTestModel } from "../../support/model-server.ts";
import { startPrivateTmux } from "../../support/private-tmux.ts";
import { type Binary, binaryOf } from "../binary.ts";
import { SUBSCRIBER, startLimitServer } from "../limit-server.ts";
import { makeSanitizer } from "./sanitize.ts";
import { HOOK_SCENES, type HookScene, opening, rulesOf } from "./scenes.ts";

type Payload = Readonly<Record<string, unknown>>;

/** All that any release knows of; one that does not know an event ignores it. */
const EVENTS = [
	...["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"],
	...["Notification", "UserPromptSubmit", "Stop", "StopFailure"],
	...["SubagentStart", "SubagentStop"],
];
const FIXTURES = resolve(import.meta.dir, "../../fixtures/hooks");

const args = minimist(process.argv.slice(2), {
	string: ["version", "only"],
	boolean: ["save"],
});
const binary = await binaryOf(args.version ?? "installed");
const only = new RegExp(args.only ?? "");
for (const scene of HOOK_SCENES.filter((s) => only.test(s.name))) {
	const payloads = await record(scene, binary);
	const events = payloads.map((p) => p.hook_event_name).join(" ");
	console.log(`${binary.version} ${scene.name}: ${events}`);
	if (!args.save) continue;
	const dir = join(FIXTURES, binary.version);
	mkdirSync(dir, { recursive: true });
	const lines = payloads.map((p) => `${JSON.stringify(p)}\n`);
	writeFileSync(join(dir, `${scene.name}.jsonl`), lines.join(""));
}

async function record(
	scene: HookScene,
	{ path }: Binary,
): Promise<readonly Payload[]> {
	const tmux = startPrivateTmux();
	const model = startTestModel(rulesOf(scene));
	const limited = scene.limit ? startLimitServer(scene.limit) : null;
	const heard = join(tmux.dir, "heard");
	mkdirSync(heard);
	try {
		const claude = await startClaude({
			tmux,
			model: limited ?? model,
			binary: path,
			permissionMode: "default",
			...scene.options,
			flags: ["--settings", listeners(tmux.dir, heard)],
			env: scene.limit ? SUBSCRIBER : {},
		});
		const stage = {
			claude,
			tmux,
			release: model.release,
			isBlocked: () => claude.session()?.status === "waiting",
		};
		for (const step of [opening(scene), ...(scene.play ?? [])])
			await step(stage);
		if (!scene.endless) await claude.waitForStatus("idle", 20_000);
		await Bun.sleep(500);
		claude.close();
		return heardIn(heard).map(makeSanitizer([claude.cwd, tmux.dir]));
	} finally {
		await tmux.kill();
		await model.stop();
		await limited?.stop();
	}
}

/** Settings whose every hook keeps its payload; the name of the file is when it came. */
function listeners(dir: string, heard: string): string {
	const command = `cat > '${heard}'/$(date +%s%N)-$$.json`;
	const hooks = EVENTS.map((event) => [
		event,
		[{ hooks: [{ type: "command", command, timeout: 10 }] }],
	]);
	const path = join(dir, "listeners.json");
	writeFileSync(path, JSON.stringify({ hooks: Object.fromEntries(hooks) }));
	return path;
}

function heardIn(dir: string): readonly Payload[] {
	return readdirSync(dir)
		.sort()
		.map((name) => JSON.parse(readFileSync(join(dir, name), "utf8")));
}
