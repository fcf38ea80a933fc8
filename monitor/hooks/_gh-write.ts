/** A backstop for GitHub writes that would post as the operator (contract 08 §2.2). It warns and never blocks: shell parsing is too brittle for that. */
import { appendGhBypass } from "../_state/gh-bypass-warnings.ts";
import { textAt } from "../_state/json-object.ts";
import type { HookAnswer, HookCall } from "./_io.ts";
import { envWindow, WORKER_OR_ORCHESTRATOR } from "./_stamp_path.ts";

/** Where a command can start. */
const START = String.raw`(?:^|[\s;&|(=])`;
/** A bare `gh` is the wrapper in front of PATH, which posts as the bot. */
const BYPASS = new RegExp(
	String.raw`${START}(?:command[ \t]+gh|(?:/[^\s;&|()'"]*)?/gh|\./gh|\\gh)(?=\s|$)`,
	"m",
);
const ALLOWED = /GH_TOKEN=|mint-token|GH_IMPERSONATE/;
const FLAGS = String.raw`(?:\s+-\S+(?:\s+[^-\s]\S*)?)*`;
const WRITE = new RegExp(
	String.raw`gh${FLAGS}\s+(?:pr\s+(?:create|edit|merge|comment|close|reopen|ready|review)|issue\s+(?:create|edit|comment|close|reopen|lock|delete)|release\s+(?:create|edit|delete|upload))\b`,
);
const API = /gh\s+api\b/;
const API_WRITE =
	/\bgraphql\b|--input\b|--field\b|--raw-field\b|-[fF][ =]|(?:-X|--method)[ =]?["']?(?:POST|PATCH|PUT|DELETE)\b/;

/** Pure. A write that goes around the wrapper, with nothing in it that says it is meant. */
export function ghBypass(command: string): boolean {
	if (!BYPASS.test(command) || ALLOWED.test(command)) return false;
	return WRITE.test(command) || (API.test(command) && API_WRITE.test(command));
}

/** PreToolUse of Bash and Monitor. */
export function guardGhWrite(call: HookCall): HookAnswer | undefined {
	const { payload, stateDir, env, files, clock } = call;
	const command = textAt(payload, "tool_input", "command");
	if (command === null || !ghBypass(command)) return;
	const ts = `${new Date(clock.nowMs()).toISOString().slice(0, 19)}Z`;
	const window = envWindow(env, WORKER_OR_ORCHESTRATOR) ?? "unknown";
	if (stateDir !== null)
		appendGhBypass(files, stateDir, { ts, window, command });
	return {
		stderr:
			"gh-write-guard: this command goes around the gh wrapper, so its write would appear under the operator's name. Use a bare `gh`, or `ng`, which post as the bot.",
	};
}
