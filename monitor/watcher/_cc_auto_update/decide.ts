/** When the nightly evaluation fires, and what becomes of it (contract 06 §13.1). Pure. */
import type { UpdateVerdict } from "../../_state/cc-update-available.ts";

export interface DueFacts {
	/** Local, `YYYY-MM-DDTHH:MM…`. */
	readonly iso: string;
	/** As configured. */
	readonly fireTime: string;
	/** The day it last fired; null: never. */
	readonly lastFired: string | null;
}

const FALLBACK = "04:00";

/** A watcher that was down at that time fires later the same day; one that restarts after it does not fire again. */
export function isDue({ iso, fireTime, lastFired }: DueFacts): boolean {
	const at = /^([01]\d|2[0-3]):[0-5]\d$/.test(fireTime) ? fireTime : FALLBACK;
	return iso.slice(11, 16) >= at && lastFired !== iso.slice(0, 10);
}

/** `dead`: its window stands, and nothing lives in it (ids to be ended). */
export type EvaluatorWindow =
	| { readonly kind: "unknown" | "live" | "absent" }
	| { readonly kind: "dead"; readonly windowIds: readonly string[] };

export interface FireFacts {
	readonly window: EvaluatorWindow;
	readonly verdict: UpdateVerdict;
	/** The last evaluation of this candidate left it to the operator. */
	readonly awaitsOperator: boolean;
	readonly hasTemplate: boolean;
}

/** `stamp`: today is done. A day that is not stamped is tried again at the next tick. */
export type Fire =
	| { readonly kind: "wait"; readonly stamp: boolean }
	| {
			readonly kind: "skip";
			readonly stamp: true;
			readonly decision:
				| "skipped-window-alive"
				| "skipped-awaiting-operator"
				| "spawn-failed";
			readonly candidate: string;
			readonly detail: string;
	  }
	| {
			readonly kind: "spawn";
			readonly stamp: true;
			readonly candidate: string;
			readonly installed: string;
			readonly endFirst: readonly string[];
	  };

/** Before the registry is asked: an evaluator at work, or tmux silent, needs no answer from it. */
export function decideWindow(window: EvaluatorWindow): Fire | null {
	if (window.kind === "unknown") return { kind: "wait", stamp: false };
	return window.kind === "live"
		? skip("skipped-window-alive", "-", "the last evaluator is still at work")
		: null;
}

/** `stamp`: this day's turn is used up. What could not be looked at is asked again at the next tick. */
export function decideFire(f: FireFacts): Fire {
	const early = decideWindow(f.window);
	if (early !== null) return early;
	const { verdict } = f;
	if (verdict.kind === "current") return { kind: "wait", stamp: true };
	if (verdict.kind !== "available") return { kind: "wait", stamp: false };
	const { candidate, installed } = verdict;
	if (f.awaitsOperator)
		return skip("skipped-awaiting-operator", candidate, "judged already");
	if (!f.hasTemplate)
		return skip("spawn-failed", candidate, "the prompt's template is missing");
	const endFirst = f.window.kind === "dead" ? f.window.windowIds : [];
	return { kind: "spawn", stamp: true, candidate, installed, endFirst };
}

function skip(
	decision: Extract<Fire, { kind: "skip" }>["decision"],
	candidate: string,
	detail: string,
): Fire {
	return { kind: "skip", stamp: true, decision, candidate, detail };
}
