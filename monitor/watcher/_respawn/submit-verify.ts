/**
 * Was the brief submitted, and what is done about it (contract 04 §14.4)? Pure: one decision a look. Exhausting the
 * tries is a failure: once it passed for success, and the orchestrator sat unbriefed.
 */
import { mayPressEnter } from "../../_delivery/look.ts";
import type { LookResult } from "../../_pane/types.ts";
import type { SubmitLimits } from "./settings.ts";

/** What one look says of the brief. */
export type BriefSight =
	/** A turn runs. */
	| "busy"
	/** The box is provably our text. */
	| "ours"
	/** The box is provably empty, on a pane that waits. */
	| "blank"
	/** Typed text that is not provably ours: the paste may still be rendering. */
	| "other-text"
	| "indeterminate"
	/** A dialog or a menu. */
	| "refused"
	| "gone";

/** What one look says of our brief. `indeterminate` decides nothing. */
export function briefSight(seen: LookResult, payload: string): BriefSight {
	if (seen.kind === "gone") return "gone";
	if (seen.kind !== "ok") return "indeterminate";
	const { state, input, menu, overlay } = seen.look;
	if (state === "blocked" || overlay !== null || menu) return "refused";
	if (state === "empty" || state === "unknown") return "indeterminate";
	if (mayPressEnter(seen, payload).kind === "yes") return "ours";
	if (input === "typed") return "other-text";
	if (state === "busy") return "busy";
	if (input === "blank" || input === "ghost") return "blank";
	return "refused";
}

/** One paste of the brief. Times on the monotonic clock, ms. */
export interface SubmitMemory {
	readonly pastedAt: number;
	/** The newest Enter since the paste, or of it. */
	readonly enteredAt: number | null;
	/** When the first Enter of this ladder was pressed. */
	readonly ladderSince: number | null;
	/** From the newest Enter to the next. */
	readonly pauseMs: number;
	readonly blankSince: number | null;
}

/** `isEntered`: the paste had an Enter of its own. */
export function freshPaste(now: number, isEntered: boolean): SubmitMemory {
	return {
		pastedAt: now,
		enteredAt: isEntered ? now : null,
		ladderSince: null,
		pauseMs: FIRST_PAUSE_MS,
		blankSince: null,
	};
}

export type SubmitStep = { readonly memory: SubmitMemory } & (
	| { readonly kind: "wait" | "enter" | "submitted" }
	/** The box is empty and no turn began: it may be pasted again. */
	| { readonly kind: "lost" }
	/** Neither an Enter nor another paste is right. */
	| { readonly kind: "stop"; readonly why: string }
);

const FIRST_PAUSE_MS = 5000;
const LAST_PAUSE_MS = 30_000;

/** `wasEntered`: some Enter was pressed since the respawn began; without one a turn that runs is not the brief's. */
export function decideSubmit(
	previous: SubmitMemory,
	sight: BriefSight,
	now: number,
	limits: SubmitLimits,
	wasEntered: boolean,
): SubmitStep {
	const blankSince = sight === "blank" ? (previous.blankSince ?? now) : null;
	const memory = { ...previous, blankSince };
	const { enteredAt, ladderSince, pastedAt } = memory;
	if (sight === "busy" && wasEntered) return { kind: "submitted", memory };
	if (sight === "gone") return stop(memory, "the program has ended");
	if (sight === "refused") return stop(memory, "a dialog or a menu is up");
	const isVerifying = enteredAt !== null && now - enteredAt < limits.verifyMs;
	if (isVerifying) return { kind: "wait", memory };
	if (ladderSince === null) return beforeLadder(memory, sight, now, limits);
	const isOver = now - ladderSince >= limits.retryBudgetMs;
	switch (sight) {
		case "ours": {
			if (isOver) return stop(memory, "the text stays in the box");
			const isDue = now - (enteredAt ?? pastedAt) >= memory.pauseMs;
			return isDue ? enter(memory, now) : { kind: "wait", memory };
		}
		case "blank":
			return now - (blankSince ?? now) >= limits.lostMs
				? { kind: "lost", memory }
				: { kind: "wait", memory };
		case "other-text":
			return stop(memory, "somebody's text is in the box");
		default:
			return isOver
				? stop(memory, "the pane cannot be judged")
				: { kind: "wait", memory };
	}
}

/** Until the first Enter of the ladder the paste may still be rendering. */
function beforeLadder(
	memory: SubmitMemory,
	sight: BriefSight,
	now: number,
	limits: SubmitLimits,
): SubmitStep {
	if (sight === "ours") return enter(memory, now);
	if (now - memory.pastedAt < limits.verifyMs + limits.lateRenderMs)
		return { kind: "wait", memory };
	if (sight === "blank") return { kind: "lost", memory };
	return stop(
		memory,
		sight === "other-text"
			? "the box holds another text"
			: "the pane cannot be judged",
	);
}

/** 5 s after the first Enter, then twice as long each time. */
function enter(memory: SubmitMemory, now: number): SubmitStep {
	const isFirst = memory.ladderSince === null;
	const pauseMs = isFirst
		? FIRST_PAUSE_MS
		: Math.min(LAST_PAUSE_MS, memory.pauseMs * 2);
	const ladderSince = memory.ladderSince ?? now;
	return {
		kind: "enter",
		memory: { ...memory, enteredAt: now, ladderSince, pauseMs },
	};
}

function stop(memory: SubmitMemory, why: string): SubmitStep {
	return { kind: "stop", why, memory };
}
