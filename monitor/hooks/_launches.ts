/** Work that outlives the turn is recorded as a declared wait, so that the watcher can tell when it is done (contract 08 §2.4). */
import { join } from "node:path";
import { sayOnce } from "../_state/footgun-seen.ts";
import type { Wait } from "../_state/heartbeat.ts";
import { updateHeartbeat } from "../_state/heartbeat-update.ts";
import {
	addWait,
	isDismissed,
	seedHeartbeat,
} from "../_state/heartbeat-waits.ts";
import { textAt } from "../_state/json-object.ts";
import { checkWaitId } from "../_state/wait-id.ts";
import type { HookAnswer, HookCall } from "./_io.ts";
import { extendedRegExp, parsePatternRows } from "./_pattern-rows.ts";
import { stampPlace, WORKER } from "./_stamp_path.ts";

export interface LaunchRule {
	readonly kind: string;
	readonly command: RegExp;
	/** Null: this kind prints no id. */
	readonly id: RegExp | null;
	readonly desc: string;
}

export const SHIPPED_LAUNCHES = join(
	import.meta.dir,
	"../async-launch-patterns.conf",
);
const STDOUT_CHARACTERS = 16 * 1024;
/** The sentinel of the reminder, among those of the shell habits. */
const REMINDER_TAG = "async-ownership";
/** Its program stands here in full: the one module of names costs more to load than a hook may. */
const REMINDER = `You started work that outlives this turn. It is yours until it ends: the watcher has recorded it as a wait and wakes you when it is done. Check then that its results are whole, and say "$NEXUS_ROOT/monitor/declare-no-wait.ts" <kind> <id> if it needs no waiting for.`;

/** `kind|command regex|id regex|desc`; a row with a bad regex is skipped. */
export function parseLaunchRules(text: string): readonly LaunchRule[] {
	return parsePatternRows(text).flatMap(
		([kind, commandRegex, idRegex, desc]) => {
			const command = extendedRegExp(commandRegex);
			const id = idRegex === "" ? null : extendedRegExp(idRegex);
			if (command === null || (id === null && idRegex !== "")) return [];
			return [{ kind, command, id, desc: desc.trim() }];
		},
	);
}

/** The wait of the first rule that matches, or null. An id that no tool of ours would accept back counts as none. */
export function detectLaunch(
	command: string,
	stdout: string,
	rules: readonly LaunchRule[],
): Wait | null {
	const rule = rules.find((r) => r.command.test(command));
	if (rule === undefined) return null;
	const { kind, desc } = rule;
	const printed = rule.id?.exec(stdout)?.[1];
	const hasId = printed !== undefined && checkWaitId(kind, printed) === null;
	const id = hasId ? printed : `syn-${sha1(command).slice(0, 12)}`;
	return { kind, id, desc };
}

/** PostToolUse of Bash and Monitor. */
export async function recordLaunch(
	call: HookCall,
): Promise<HookAnswer | undefined> {
	const { payload, env, files, clock, timer } = call;
	const command = textAt(payload, "tool_input", "command");
	if (command === null) return;
	const conf = files.read(env.NEXUS_ASYNC_PATTERNS || SHIPPED_LAUNCHES);
	if (conf.kind !== "ok") return;
	const stdout = textAt(payload, "tool_response", "stdout") ?? "";
	const wait = detectLaunch(
		command,
		stdout.slice(0, STDOUT_CHARACTERS),
		parseLaunchRules(conf.text),
	);
	const place = wait === null ? null : await stampPlace(call, WORKER);
	if (wait === null || place === null) return;
	const { stateDir, window } = place;
	let isRecorded = false;
	await updateHeartbeat({ files, clock: timer }, stateDir, window, (prior) => {
		const heartbeat = prior ?? seedHeartbeat(window, clock.now());
		if (isDismissed(heartbeat, wait)) return null;
		isRecorded = true;
		return addWait(heartbeat, wait);
	});
	if (!isRecorded || !sayOnce(files, stateDir, window, REMINDER_TAG)) return;
	return {
		stdout: JSON.stringify({
			hookSpecificOutput: {
				hookEventName: "PostToolUse",
				additionalContext: REMINDER,
			},
		}),
	};
}

function sha1(text: string): string {
	return new Bun.CryptoHasher("sha1").update(text).digest("hex");
}
