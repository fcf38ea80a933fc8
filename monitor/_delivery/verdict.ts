/** What a look at the pane allows (contract 04 §5.3). */
import type { LookResult, PaneLook } from "../_pane/types.ts";

/**
 * `held`: typed text is in the box. `draft`: text that cannot be read. `queued`: a turn runs, what
 * is sent waits behind it. `clear`: nothing is in the way. `unknown`: could not look. `gone`: no agent.
 */
export type PaneVerdict =
	| "blocked"
	| "held"
	| "draft"
	| "queued"
	| "clear"
	| "unknown"
	| "gone";

/** `before-paste` doubts more: whatever the state says, text in the box is somebody's. */
export type VerdictMode = "after" | "before-paste";

type Facts = Pick<PaneLook, "state" | "input" | "menu" | "overlay">;

/**
 * First match wins: an open dialog, then what nobody can read, then a gone pane, then a draft in the box.
 * `before-paste` looks at the box whatever the state says; a running turn queues what is pasted.
 */
export function paneVerdict(facts: Facts, mode: VerdictMode): PaneVerdict {
	const { state } = facts;
	if (state === "blocked" || facts.overlay !== null || facts.menu)
		return "blocked";
	if (state === "unknown" || state === "empty") return "unknown";
	if (state === "absent") return "gone";
	if (state === "user-typing" || mode === "before-paste") {
		if (facts.input === "typed") return "held";
		if (facts.input === "?") return "draft";
	}
	return RUNNING.has(state) ? "queued" : "clear";
}

/** As `paneVerdict`, for what a look answered. */
export function verdictOf(seen: LookResult, mode: VerdictMode): PaneVerdict {
	if (seen.kind === "gone") return "gone";
	if (seen.kind === "unreadable") return "unknown";
	return paneVerdict(seen.look, mode);
}

/** The box is seen, and nothing that somebody typed is in it. */
export function boxIsClear(seen: LookResult): boolean {
	if (seen.kind !== "ok") return false;
	const verdict = paneVerdict(seen.look, "before-paste");
	const { input } = seen.look;
	return (
		(verdict === "clear" || verdict === "queued") &&
		(input === "blank" || input === "ghost")
	);
}

const RUNNING: ReadonlySet<string> = new Set([
	"busy",
	"working-background",
	"working-self-paced",
]);
