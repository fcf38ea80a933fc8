/** The wiring of the hooks (contract 08 §1). */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderSettings } from "../../monitor/_state/rendered-settings.ts";
import {
	BUN_FLAGS,
	CODE_ROOT,
	HOOKS,
	PROGRAMS,
} from "../../monitor/_sys/names.ts";
import { launched, type Role, readTemplate, wired, wiredIn } from "./wired.ts";

/** As the shell reads them. */
const wordsOf = (command: string): readonly string[] =>
	Bun.spawnSync(["sh", "-c", `printf '%s\\n' ${command}`], { env: {} })
		.stdout.toString()
		.trimEnd()
		.split("\n");

const ROLES: readonly Role[] = ["worker", "orchestrator"];

test.each([
	[
		"worker",
		[
			"PreToolUse[Bash|Write|Edit|NotebookEdit] pending-tool-record",
			"PreToolUse[Bash|Monitor] gh-write-guard",
			"PreToolUse[Bash|Monitor] bash-footgun-guard",
			"PostToolUse[] worker-heartbeat busy",
			"PostToolUse[] pending-tool-record --clear",
			"PostToolUse[Bash|Monitor] async-launch-detect",
			// A tool that failed fires this one instead.
			"PostToolUseFailure[] worker-heartbeat busy",
			"PostToolUseFailure[] pending-tool-record --clear",
			"Notification[] worker-heartbeat notify",
			"Notification[] notification-record",
			"Notification[] decision-emit",
			"UserPromptSubmit[] worker-heartbeat user_prompt",
			"PermissionRequest[] worker-heartbeat permission_prompt",
			"Stop[] decision-mark-unresolved",
			"Stop[] worker-heartbeat turn_end",
			"Stop[] stamp-clear over-limit",
			"Stop[] stamp-clear turn-failure",
			"StopFailure[] over-limit-emit",
			"StopFailure[] turn-failure-emit",
		],
	],
	[
		"orchestrator",
		[
			"PreToolUse[AskUserQuestion] block-askuserquestion",
			"UserPromptSubmit[] orchestrator-session-pin",
			"UserPromptSubmit[] orchestrator-touch paste-received",
			"PostToolUse[] orchestrator-touch heartbeat",
			"Stop[] orchestrator-touch heartbeat",
			"Stop[] stamp-clear over-limit",
			// What only the operator can mend holds the replacement.
			"Stop[] stamp-clear turn-failure",
			"StopFailure[] over-limit-emit",
			"StopFailure[] turn-failure-emit",
		],
	],
] as const)("%s: every event runs its hooks", (role, rows) => {
	const found = wired(role).map(
		({ event, matcher, short }) => `${event}[${matcher}] ${short}`,
	);
	expect(found).toEqual([...rows]);
});

describe.each(ROLES)("%s-settings.json", (role) => {
	test("asks nothing at the start and updates nothing", () => {
		const { hooks, ...rest } = JSON.parse(readTemplate(role));
		expect(Object.keys(hooks).length).toBeGreaterThan(0);
		expect(rest).toEqual({
			skipDangerousModePermissionPrompt: true,
			env: { DISABLE_AUTOUPDATER: "1" },
		});
	});

	test("runs programs of the checkout, with a limit, with bun's flags, and through no pipe", () => {
		for (const { command, timeout } of wired(role)) {
			const words = wordsOf(command);
			const [bun, script] = [words[0], words[1 + BUN_FLAGS.length]];
			expect(bun).toBe(process.execPath);
			expect(words.slice(1, 1 + BUN_FLAGS.length)).toEqual([...BUN_FLAGS]);
			expect(existsSync(script!)).toBe(true);
			const known = [...HOOKS, PROGRAMS.workerHeartbeat] as readonly string[];
			expect(known).toContain(script!.slice(CODE_ROOT.length + 1));
			expect(timeout).toBe(10);
		}
	});
});

test("what a launcher renders runs one bundle a hook, each of which is there", async () => {
	const dir = mkdtempSync(join(tmpdir(), "nexus-settings-"));
	try {
		for (const role of ROLES)
			for (const { command } of await launched(role, dir)) {
				const script = wordsOf(command)[1 + BUN_FLAGS.length] ?? "";
				expect(script).toStartWith(`${dir}/settings/hooks/`);
				for (const path of [script, `${script}.jsc`])
					expect([path, existsSync(path)]).toEqual([path, true]);
			}
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
});

test("every hook is wired", () => {
	const all = ROLES.flatMap((role) => wired(role)).map((w) => w.command);
	const unwired = HOOKS.filter(
		(hook) => !all.some((command) => command.includes(`/${hook}"`)),
	);
	expect(unwired).toEqual([]);
});

test("paths with blanks, quotes, dollars and backquotes stay paths", () => {
	const root = '/srv/a b/$HOME "x" `y` \\z';
	const text = renderSettings(readTemplate("worker"), "/opt/b u n", root);
	for (const { command } of wiredIn(text)) {
		const shown = Bun.spawnSync(
			["sh", "-c", `show() { printf '%s\\n' "$@"; }; show ${command}`],
			{ env: process.env },
		).stdout.toString();
		const [bun, ...rest] = shown.split("\n");
		expect(bun).toBe("/opt/b u n");
		expect(rest[BUN_FLAGS.length]).toStartWith(`${root}/monitor/`);
	}
});

test("what the guards read beside them is there", () => {
	for (const name of ["bash-footgun-patterns", "async-launch-patterns"])
		expect(
			readFileSync(join(CODE_ROOT, `monitor/${name}.conf`), "utf8"),
		).toContain("|");
});
