/** May a watcher that looks down be restarted (contract 01 §16.3)? The first row that matches wins. Pure. */
import { countWithin } from "../../_liveness/respawn-guard.ts";
import type { Verdict } from "../../_liveness/verdict.ts";
import type { WatcherGroup } from "../../_liveness/watcher-process.ts";

export interface ReviveFacts {
	readonly verdict: Verdict;
	readonly stopRequested: "yes" | "no" | "unknown";
	readonly writable: boolean;
	/** Null when the process table could not be read. */
	readonly groups: readonly WatcherGroup[] | null;
}
/** Why nothing is restarted. */
export type Refrain =
	| { readonly kind: "stopped" }
	| { readonly kind: "alive" }
	| { readonly kind: "moved" }
	| { readonly kind: "alarm"; readonly why: string }
	| { readonly kind: "refuse-alive"; readonly pgids: readonly number[] }
	| {
			readonly kind: "loop";
			readonly count: number;
			readonly windowSeconds: number;
	  };

/** By one look; `look-again` = nothing stands against it yet. */
export function decideRevive(
	f: ReviveFacts,
): Refrain | { readonly kind: "look-again" } {
	const { verdict } = f;
	if (f.stopRequested === "yes") return { kind: "stopped" };
	if (verdict.bucket === 0 || verdict.bucket === 1) return { kind: "alive" };
	if (!f.writable) return alarm("the state dir is not writable");
	if (f.stopRequested === "unknown")
		return alarm("could not see whether the watcher was stopped on purpose");
	if (verdict.bucket === 4 || !isMoving(verdict)) return { kind: "look-again" };
	if (f.groups === null)
		return alarm(
			"something moves, and the process table cannot tell whether a watcher is alive",
		);
	const alive = f.groups.filter((g) => g.leader === "live");
	return alive.length > 0
		? { kind: "refuse-alive", pgids: alive.map((g) => g.pgid) }
		: { kind: "look-again" };
}

export interface RestartFacts {
	/** Of the second look. */
	readonly verdict: Verdict;
	/** Whether it moved between the two. */
	readonly moved: boolean;
	/** Null when the history could not be read. */
	readonly history: readonly number[] | null;
	readonly now: number;
	readonly loopLimit: number;
	readonly loopWindowSeconds: number;
}

/** By the second look. */
export function decideRestart(
	f: RestartFacts,
): Refrain | { readonly kind: "restart" } {
	if (f.moved) return { kind: "moved" };
	if (f.verdict.bucket === 0 || f.verdict.bucket === 1)
		return { kind: "alive" };
	if (f.history === null) return alarm("the revive history cannot be read");
	const count = countWithin(f.history, f.now, f.loopWindowSeconds);
	return count >= f.loopLimit
		? { kind: "loop", count, windowSeconds: f.loopWindowSeconds }
		: { kind: "restart" };
}

function isMoving(v: Verdict): boolean {
	return v.progressAge !== null && v.progressAge <= v.wedgeCutoff;
}

function alarm(why: string): Refrain {
	return { kind: "alarm", why };
}
