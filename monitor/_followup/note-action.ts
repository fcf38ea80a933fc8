/** The follow-up's line in the action log (contract 04 §7, 05 §9). */
import type { TextDeps } from "../_delivery/deliver-text.ts";
import { appendEvent } from "../_state/action-log-append.ts";
import type { FollowupArgs } from "./args.ts";
import type { Done } from "./run.ts";

/** A line that cannot be written is a warning: what was pasted stays pasted. */
export function noteAction(
	{ doors, stateDir }: TextDeps,
	args: FollowupArgs,
	end: Done,
	warn: (line: string) => void,
): void {
	const over =
		end.overlay === null ? [] : [`pasted over overlay=${end.overlay}`];
	const notes = [...(args.note === "" ? [] : [args.note]), ...over];
	const flags: readonly (readonly [string, boolean])[] = [
		["no_enter", args.noEnter],
		["administrative", args.administrative],
		["enter_retried", end.enterRetried],
	];
	const written = appendEvent(doors, stateDir, {
		agent: "monitor",
		event: "paste-followup",
		note: notes.join("; "),
		extras: [
			["window", args.window],
			["outcome", end.outcome],
			["rc", String(end.rc)],
			...given("issue", args.issue),
			...given("comment", args.comment),
			...flags.flatMap(([key, on]) => (on ? given(key, "1") : [])),
		],
	});
	if (written.kind === "failed")
		warn(`paste-followup: WARN the action log: ${written.reason}`);
}

function given(
	key: string,
	value: string,
): readonly (readonly [string, string])[] {
	return value === "" ? [] : [[key, value]];
}
