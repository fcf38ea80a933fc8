/** A checkout whose path means something to a shell: every command that is printed to be pasted still names one file. */
import { expect, test } from "bun:test";
import { driftBlock } from "../../monitor/_emit/component-drift-blocks.ts";
import { refusalLines } from "../../monitor/_liveness/refusal-text.ts";
import {
	armSection,
	downMessage,
	monitorCommand,
	wedgedMessage,
} from "../../monitor/_liveness/supervisor-text.ts";
import { describeDoors } from "../../monitor/_nexus/demo/narrate.ts";
import { demoWorldAt } from "../../monitor/_nexus/demo/world.ts";
import { checkConfig } from "../../monitor/_nexus/doctor/configuration.ts";
import { checkBun } from "../../monitor/_nexus/doctor/programs.ts";
import { renderResume } from "../../monitor/watcher/_respawn_prompts.ts";

const ROOT = `/srv/it's $HOME; \`id\` "q" ü`;
const STATE = `${ROOT}/monitor/.state`;
const armCommand = monitorCommand(ROOT);

const TEXTS: Readonly<Record<string, string>> = {
	"the arm section": armSection({
		enabled: true,
		codeRoot: ROOT,
		stateDir: STATE,
		now: 1,
		supervisorBeatAt: null,
		staleSeconds: 90,
	}),
	"the tick that finds the watcher down": downMessage("gone", ROOT),
	"the tick that finds it wedged": wedgedMessage([], ROOT),
	"the prompt of a respawned orchestrator": renderResume(
		{ reason: "gone", target: "o", root: ROOT, codeRoot: ROOT, armCommand },
		"6f1c1f5e-0d0c-4a6c-9d5b-0a5b4a1b2c3d",
	),
	"a refused start": refusalLines({
		root: ROOT,
		lockPath: `${STATE}/nexus-instance.lock`,
		lockText: "",
		assessment: "unknown",
	}).join("\n"),
	"a doctor that finds the configuration open": checkConfig({
		kind: "bad",
		path: `${ROOT}/config/nexus.yml`,
		lines: ["x: mode 0644"],
	})
		.map((check) => check.advice)
		.join("\n"),
	"a doctor that misses bun": String(
		checkBun({
			version: "1.4.5",
			onPath: false,
			projectBin: `${ROOT}/node_modules/.bin`,
		}).advice,
	),
	"the demo's way in": describeDoors(demoWorldAt(ROOT)).join("\n"),
	"a cockpit of older code": driftBlock(
		{
			component: "cockpit",
			old: "a",
			new: "b",
			note: "",
			window: "services",
			windowId: "@1",
			tmuxServer: "1:2",
			detected: 1,
		},
		{ codeRoot: ROOT, stateDir: STATE, tmuxServer: "1:2" },
	).join("\n"),
};

/** Where the path is told, not typed. */
const PROSE = [
	/^ *NEXUS_ROOT = /,
	/^ *lock file {2}= /,
	/^No fresh watcher-supervisor heartbeat \(/,
	/^state: {3}/,
];
/** The path in single quotes; a quote of its own is a word apart, so that the bare path is never a part of this. */
const QUOTED = `'${ROOT.replaceAll("'", `'\\''`)}`;

test.each(Object.entries(TEXTS))("%s", (_what, text) => {
	const shell = text.replace(
		/Monitor\(\{command: ("(?:[^"\\]|\\.)*")\}\)/g,
		(_call, json: string) => JSON.parse(json),
	);
	expect(shell).toContain(QUOTED);
	const bare = shell.split("\n").filter((line) => line.includes(ROOT));
	expect(bare.filter((line) => !PROSE.some((re) => re.test(line)))).toEqual([]);
});
