/** What becomes of one held pane now (contract 04 §9.6). Pure; epoch seconds. */
import type { PaneStateName } from "../../_pane/types.ts";
import type { LimitRow } from "../../_state/over-limit-state.ts";
import { resetInstant } from "../../_state/reset-token.ts";
import type { LimitSettings } from "./settings.ts";

export type BeforeLook = "fail-open" | "leave" | "look";

/**
 * A hold that has lasted too long is ended by asking the pane itself: a suspended one never repaints of its own accord.
 * One that could not be asked waits for its next attempt like any other, or it would be tried at every pass.
 */
export function beforeLook(
	row: LimitRow,
	now: number,
	settings: LimitSettings,
): BeforeLook {
	const isUnasked = row.attempts >= settings.maxAttempts;
	if (!isUnasked && now > endOfHold(row, settings)) return "fail-open";
	return now < row.nextAttempt ? "leave" : "look";
}

/** `absent`: tmux answered, no such window. `unknown`: could not look. */
export type LimitLook =
	| PaneStateName
	| "window-absent"
	| "window-unknown"
	| "unreadable";

export type AfterLook =
	| { readonly kind: "resume" | "fail-open" | "drop" | "leave" }
	| { readonly kind: "retry"; readonly row: LimitRow };

/** A window that nobody could look for leaves the row as it is; one that is gone drops it. */
export function afterLook(
	row: LimitRow,
	look: LimitLook,
	now: number,
	settings: LimitSettings,
): AfterLook {
	switch (look) {
		case "window-unknown":
			return { kind: "leave" };
		case "window-absent":
		case "absent":
		case "blocked":
			return { kind: "drop" };
		case "unreadable":
			return { kind: "retry", row: backedOff(row, now, settings) };
		case "idle":
		case "autosuggest-only":
		case "empty":
		case "busy":
		case "user-typing":
		case "working-background":
		case "working-self-paced":
		case "idle-orphan-async":
			return { kind: "resume" };
		case "over-limit":
		case "unknown": {
			const tried = { ...row, attempts: row.attempts + 1 };
			if (tried.attempts >= settings.maxAttempts) return { kind: "fail-open" };
			return { kind: "retry", row: backedOff(tried, now, settings) };
		}
	}
}

/** The next attempt; what was observed stays as it is. */
export function backedOff(
	row: LimitRow,
	now: number,
	{ initialBackoff, maxBackoff }: LimitSettings,
): LimitRow {
	const doubled = initialBackoff * 2 ** Math.max(0, row.attempts - 1);
	const delay = Math.max(initialBackoff, Math.min(maxBackoff, doubled));
	return { ...row, nextAttempt: now + delay };
}

/** It was to be asked itself, and could not be: no row that waits for anything else has used up its attempts. */
export function unasked(
	row: LimitRow,
	now: number,
	settings: LimitSettings,
): LimitRow {
	return backedOff({ ...row, attempts: settings.maxAttempts }, now, settings);
}

/** A limit whose reset is known may last for days. */
function endOfHold(
	{ token, firstSeen, resetAt }: LimitRow,
	{ maxHold, wakeMargin }: LimitSettings,
): number {
	const longest = firstSeen + maxHold;
	return resetInstant(token, firstSeen).kind === "known"
		? Math.max(longest, resetAt + wakeMargin + 3600)
		: longest;
}
