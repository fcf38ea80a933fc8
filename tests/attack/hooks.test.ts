/** Whatever Claude Code, or somebody in its place, sends to a hook: it ends with 0, writes below its state dir and for its own window only. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { CODE_ROOT, HOOKS, PROGRAMS } from "../../monitor/_sys/names.ts";
import type { Hook, HookAnswer, HookCall } from "../../monitor/hooks/_io.ts";
import { type HookRig, hookRig, STATE } from "../hooks/hook-rig.ts";
import { jsonObjectOf, NASTY_WORDS, nastyText } from "./nasty.ts";
import { exported } from "./parsers.ts";

/** Claude Code's own names of fields, and words that stand in them. */
const FIELDS = [
	...["hook_event_name", "session_id", "agent_id", "transcript_path", "cwd"],
	...[
		"notification_type",
		"message",
		"notification",
		"type",
		"prompt",
		"source",
	],
	...[
		"tool_name",
		"tool_input",
		"tool_response",
		"command",
		"run_in_background",
	],
	...[
		"error",
		"error_type",
		"error_message",
		"reset_at",
		"status",
		"background_tasks",
	],
	...["Bash", "Notification", "permission_prompt", "rate_limit", "Stop", "id"],
];
const ARGS = [
	...[
		"busy",
		"user_prompt",
		"idle_prompt",
		"turn_end",
		"notify",
		"subagent_stop",
	],
	...[
		"permission_prompt",
		"heartbeat",
		"paste-received",
		"over-limit",
		"--clear",
	],
	...["turn-failure", "../decisions", "decisions/..", "."],
];
/** Exit 2 blocks the tool: only for these is that the job. */
const REFUSERS = ["monitor/hooks/block-askuserquestion.ts"];

/** The orchestrator's own, wired into its settings alone: they write no window's file, so that no window need be proven. */
const OF_NO_WINDOW: Readonly<Record<string, readonly string[]>> = {
	"monitor/hooks/orchestrator-touch.ts": [
		...["orchestrator-heartbeat", "orchestrator-paste-received"],
	],
	"monitor/hooks/orchestrator-session-pin.ts": ["orchestrator-session-id"],
};

const payload = fc.oneof(
	{ weight: 6, arbitrary: jsonObjectOf(FIELDS) },
	nastyText,
	fc.constantFrom(
		...[
			"",
			"null",
			"[]",
			"{",
			'{"a":1}{"b":2}',
			'{"__proto__":{"stateDir":"/etc"}}',
		],
		`{"message":"${"x".repeat(200_000)}"}`,
		`{"tool_input":${'{"a":'.repeat(2000)}1${"}".repeat(2000)}}`,
		`{"tool_name":"Bash","tool_input":{"command":"${"a && ".repeat(3000)}"}}`,
		`{"tool_name":"Bash","tool_input":{"command":"${"(((".repeat(3000)}"}}`,
		`{"message":"${"You've hit your limit resets ".repeat(3000)}"}`,
	),
);
const args = fc.array(fc.constantFrom(...ARGS, ...NASTY_WORDS), {
	maxLength: 2,
});

/** Environments in which no window is provably the hook's own. */
const STRANGERS: readonly Readonly<Record<string, string>>[] = [
	{},
	{ TMUX_PANE: "%99" },
	{ NEXUS_WORKER_WINDOW: "w1", CLAUDE_JOB_DIR: "/jobs/1" },
	...[
		"..",
		".",
		"../../etc/cron.d/x",
		"/etc/passwd",
		"a/b",
		"a\0b",
		"a\nb",
	].map((name) => ({
		NEXUS_WORKER_WINDOW: name,
		NEXUS_ORCHESTRATOR_WINDOW: name,
	})),
	{ NEXUS_WORKER_WINDOW: "w".repeat(300) },
];

/** Whether another account of the machine could change it. */
function isOpenToOthers({ doors }: HookRig): (path: string) => boolean {
	return (path) => {
		const found = doors.files.lstat(`${STATE}/${path}`);
		return found.kind !== "ok" || (found.stat.mode & 0o022) !== 0;
	};
}

async function load(program: string): Promise<Hook> {
	const text = readFileSync(join(CODE_ROOT, program), "utf8");
	const [, name = ""] = /runHook\(hookDoors\(\), (\w+)/.exec(text) ?? [];
	const [, file = ""] =
		new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from "([^"]+)"`).exec(
			text,
		) ?? [];
	const found = await exported(join(program, "..", file), name);
	if (found === null) throw new Error(`${program} runs no hook`);
	return async (call: HookCall): Promise<HookAnswer | undefined> =>
		Object(await found(call));
}

describe.each([...HOOKS, PROGRAMS.workerHeartbeat])("%s", (program) => {
	const isFine = ({
		code,
		err,
	}: {
		readonly code: number;
		readonly err: readonly string[];
	}) => {
		expect(REFUSERS.includes(program) ? [0, 2] : [0]).toContain(code);
		expect(err.join("\n")).not.toMatch(/^\s+at .*:\d+/m);
	};

	test("of its own window", async () => {
		const hook = await load(program);
		await fc.assert(
			fc.asyncProperty(payload, args, async (sent, words) => {
				const rig = hookRig({ NEXUS_WORKER_WINDOW: "w1" });
				const outside = new Set(rig.doors.files.paths("/"));
				isFine(await rig.run(hook, sent, ...words));
				// And once more, on what the first left behind.
				isFine(await rig.run(hook, sent, ...words));
				const escaped = rig.doors.files
					.paths("/")
					.filter(
						(path) => !outside.has(path) && !path.startsWith(`${STATE}/`),
					);
				expect(escaped).toEqual([]);
				expect(rig.paths().filter(isOpenToOthers(rig))).toEqual([]);
			}),
			{ numRuns: 60 },
		);
	});

	test("on state that somebody has filled with nonsense", async () => {
		const hook = await load(program);
		await fc.assert(
			fc.asyncProperty(payload, args, nastyText, async (sent, words, junk) => {
				const rig = hookRig({ NEXUS_WORKER_WINDOW: "w1" });
				await rig.run(hook, sent, ...words);
				for (const path of rig.paths())
					rig.doors.files.seed(`${STATE}/${path}`, junk);
				isFine(await rig.run(hook, sent, ...words));
			}),
			{ numRuns: 40 },
		);
	});

	test.each(STRANGERS)("of nobody's window, with %j", async (env) => {
		const hook = await load(program);
		await fc.assert(
			fc.asyncProperty(payload, args, async (sent, words) => {
				const rig = hookRig(env);
				isFine(await rig.run(hook, sent, ...words));
				const allowed = env.CLAUDE_JOB_DIR ? [] : (OF_NO_WINDOW[program] ?? []);
				expect(rig.paths().filter((p) => !allowed.includes(p))).toEqual([]);
			}),
			{ numRuns: 12 },
		);
	});
});
