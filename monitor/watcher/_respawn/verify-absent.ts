/** Is there provably no orchestrator? Asked again right before anything is ended (contract 04 §13.1). Pure. */
import type { OrchestratorLook, OrchestratorPane } from "./orchestrators.ts";

export type AbortReason =
	| "window-reappeared-live"
	| "orchestrator-alive-elsewhere"
	| "orchestrator-process-alive"
	| "multiple-orchestrators-unresolvable"
	| "orchestrator-signal-fresh"
	| "orchestrator-jsonl-fresh"
	| "window-reappeared"
	/** tmux or the process table gave no answer, which is no absence. */
	| "could-not-look";

/** What is done first: windows that hold a stray orchestrator, and one that lost its name. */
export interface VerifyActions {
	readonly kill: readonly string[];
	readonly rename: string | null;
}

export type Verified =
	| { readonly kind: "proceed"; readonly reason: string }
	| (VerifyActions & { readonly kind: "abort"; readonly reason: AbortReason })
	/** A window of the target's name is there: wait a moment and ask `decideSlot`. */
	| { readonly kind: "look-again" };

export interface VerifyFacts {
	readonly target: string;
	/** Session id of the pin. */
	readonly pin: string | null;
	/** Epoch seconds of the first miss; 0 = nobody counted. */
	readonly since: number;
	/** Epoch seconds: the newest of the orchestrator's two stamps, and of the pinned transcript. */
	readonly signalAt: number | null;
	readonly transcriptAt: number | null;
	readonly look: OrchestratorLook;
}

const NOTHING: VerifyActions = { kill: [], rename: null };

/** No respawn, for this reason; what may be put right all the same stands in `actions`. */
export function abort(
	reason: AbortReason,
	actions: VerifyActions = NOTHING,
): Extract<Verified, { kind: "abort" }> {
	return { kind: "abort", reason, ...actions };
}

/** `proceed` only when no orchestrator was found under any name and none gave a sign of life since. */
export function decideVerify(f: VerifyFacts): Verified {
	const { found } = f.look;
	const [only, second] = found;
	if (only !== undefined && second === undefined) return keep(only, f, []);
	if (only !== undefined) return amongSeveral(f);
	if (isAfter(f.signalAt, f.since)) return abort("orchestrator-signal-fresh");
	if (isAfter(f.transcriptAt, f.since))
		return abort("orchestrator-jsonl-fresh");
	return f.look.rows.some((row) => row.windowName === f.target)
		? { kind: "look-again" }
		: { kind: "proceed", reason: "verified-absent" };
}

/** In whole seconds, as misses are counted: what the dead one wrote in its last second is no sign of life. */
function isAfter(at: number | null, since: number): boolean {
	return at !== null && since > 0 && Math.floor(at) > since;
}

/** The second look at the window of the target's name. Only corpses, or a program that is readable and not ours, may be replaced. */
export function decideSlot(target: string, look: OrchestratorLook): Verified {
	if (look.found.some((pane) => pane.windowName === target))
		return abort("window-reappeared-live");
	const [elsewhere] = look.found;
	if (elsewhere !== undefined) return abort("orchestrator-alive-elsewhere");
	const slot = look.rows.filter((row) => row.windowName === target);
	if (slot.length === 0) return { kind: "proceed", reason: "verified-absent" };
	if (slot.every((row) => row.paneDead === "1"))
		return { kind: "proceed", reason: "verified-absent (dead panes only)" };
	return look.undecided.some((row) => row.windowName === target)
		? abort("window-reappeared")
		: { kind: "proceed", reason: "impostor-in-slot" };
}

/** Of several, those with a known id that is not the pin's are strays; without one that matches nobody can be told apart. */
function amongSeveral(f: VerifyFacts): Verified {
	const { found } = f.look;
	const pinned = found.find((p) => f.pin !== null && p.sessionId === f.pin);
	if (pinned === undefined) return abort("multiple-orchestrators-unresolvable");
	const strays = found.filter(
		(p) => p.sessionId !== null && p.sessionId !== f.pin,
	);
	const stay = new Set(
		found.filter((p) => !strays.includes(p)).map((p) => p.windowId),
	);
	const kill = strays.map((p) => p.windowId).filter((id) => !stay.has(id));
	return keep(pinned, f, [...new Set(kill)]);
}

/** A live orchestrator is the orchestrator, whatever the pin says. */
function keep(
	{ windowId, windowName }: OrchestratorPane,
	{ target, look }: VerifyFacts,
	kill: readonly string[],
): Verified {
	if (windowName === target)
		return abort("window-reappeared-live", { kill, rename: null });
	const isTaken = look.rows.some(
		(row) => row.windowName === target && !kill.includes(row.windowId),
	);
	return isTaken
		? abort("orchestrator-alive-elsewhere", { kill, rename: null })
		: abort("orchestrator-process-alive", { kill, rename: windowId });
}
