/** Shell habits that have hurt before: a reminder each, once in a worker's life (contract 08 §2.3). */
import { join } from "node:path";
import { sayOnce } from "../_state/footgun-seen.ts";
import { textAt, valueAt } from "../_state/json-object.ts";
import type { HookAnswer, HookCall } from "./_io.ts";
import { extendedRegExp, parsePatternRows } from "./_pattern-rows.ts";
import { envWindow, WORKER_OR_ORCHESTRATOR } from "./_stamp_path.ts";

export interface Footgun {
	readonly tag: string;
	/** `block` refuses the call. The shipped file only warns. */
	readonly severity: "warn" | "block";
	readonly pattern: RegExp;
	readonly message: string;
}

export const SHIPPED_FOOTGUNS = join(
	import.meta.dir,
	"../bash-footgun-patterns.conf",
);

/** A row holds no literal pipe, so the rules about pipes stand here. */
const PIPE_FOOTGUNS: readonly Footgun[] = [
	{
		tag: "pipe-buffer",
		severity: "warn",
		pattern: /(?:^|[\s;&(/])python[0-9.]*\s[^|;&\n]*\|\s*(?:tail|tee)\b/,
		message:
			"python buffers what it writes to a pipe, so nothing shows until it ends, and the exit status is that of the last program. Use `python -u`, or write to a file and read that.",
	},
	{
		tag: "ml-pipe",
		severity: "warn",
		pattern: /(?:^|[;&(\n]\s*)(?:ml|module)\s[^|;&\n]*\|(?!\|)/,
		message:
			"a pipe puts `module` into a subshell, so what it loads is gone when the pipe ends. Load first, then run; its words go to stderr.",
	},
];

/** `tag|severity|regex|message`; a row whose regex or severity is none of ours is skipped. */
export function parseFootguns(text: string): readonly Footgun[] {
	return parsePatternRows(text).flatMap(([tag, severity, regex, message]) => {
		const pattern = extendedRegExp(regex);
		if (pattern === null || tag === "") return [];
		if (severity !== "warn" && severity !== "block") return [];
		return [{ tag, severity, pattern, message: message.trim() }];
	});
}

/** The first row that matches, or null. A `foreground-…` row is not about a command that runs in the background. */
export function matchFootgun(
	command: string,
	rules: readonly Footgun[],
	inBackground = false,
): Footgun | null {
	const isMeant = ({ tag, pattern }: Footgun) =>
		!(inBackground && tag.startsWith("foreground-")) && pattern.test(command);
	return [...rules, ...PIPE_FOOTGUNS].find(isMeant) ?? null;
}

/** PreToolUse of Bash and Monitor. */
export function remindOfFootgun(call: HookCall): HookAnswer | undefined {
	const { payload, stateDir, env, files } = call;
	const tool = textAt(payload, "tool_name");
	const command = textAt(payload, "tool_input", "command");
	if (command === null || (tool !== "Bash" && tool !== "Monitor")) return;
	const conf = files.read(env.NEXUS_FOOTGUN_PATTERNS || SHIPPED_FOOTGUNS);
	if (conf.kind !== "ok" || stateDir === null) return;
	const inBackground =
		valueAt(payload, "tool_input", "run_in_background") === true;
	const rules = parseFootguns(conf.text);
	const found = matchFootgun(command, rules, inBackground);
	if (found === null) return;
	const window = envWindow(env, WORKER_OR_ORCHESTRATOR) ?? "unknown";
	if (!sayOnce(files, stateDir, window, found.tag)) return;
	const text = `bash-footgun-guard [${found.tag}]: ${found.message}`;
	if (found.severity === "block") return { refuse: true, stderr: text };
	return {
		stdout: JSON.stringify({
			hookSpecificOutput: {
				hookEventName: "PreToolUse",
				additionalContext: text,
			},
		}),
	};
}
