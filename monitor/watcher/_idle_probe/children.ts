/**
 * Background shells that work on beside an agent that does nothing: when to ask about them, and when to stop waiting
 * (contract 03 §16, 08 §4.4). Without it a server that somebody forgot hides an idle worker for good. Pure.
 */
import type { PaneStateName } from "../../_pane/types.ts";
import {
	isStillRunning,
	type WorkerHealth,
} from "../../_state/worker-health.ts";
import { ageSeconds } from "../../_sys/age.ts";
import type { WorkerFacts } from "./facts.ts";

/** Seconds, but for `growth`. */
export interface ChildrenPatience {
	readonly first: number;
	/** Each wait is so many times the one before. */
	readonly growth: number;
	readonly longest: number;
	/** After this nothing excuses them. */
	readonly ceiling: number;
	/** A job that was said to run may take so much longer. */
	readonly healthSlack: number;
}

/** Times in epoch seconds. */
export interface ChildrenFacts {
	/** Since when they outlive the agent's turns. */
	readonly since: number;
	/** Start of the oldest; 0: nobody could tell. */
	readonly oldestStart: number;
	/** The last prompt that somebody submitted. */
	readonly promptAt: number | null;
	/** What the worker said in this life of its window. */
	readonly health: WorkerHealth | null;
	readonly now: number;
}

export type ChildrenSay =
	| { readonly kind: "quiet" }
	/** `askedAt` tells one question from the next. */
	| { readonly kind: "ask"; readonly askedAt: number; readonly words: string }
	| { readonly kind: "over" }
	/** The worker has said that it is done: what still runs is nothing to wait for. */
	| { readonly kind: "left-behind" };

/** `since` is to be remembered: they are known from the first moment that nothing else goes on until the agent stands still without them. */
export function lookAtChildren(
	f: WorkerFacts,
	areFrozen: boolean,
	now: number,
	patience: ChildrenPatience,
): { readonly since: number | null; readonly say: ChildrenSay } {
	const { children, state } = f.pane;
	const known = f.childrenSince;
	if (children === null)
		return { since: WITHOUT_CHILDREN.has(state) ? null : known, say: QUIET };
	const since = known === null || known > now ? now : known;
	// What stands still is no work: the worker is idle like any other.
	if (areFrozen) return { since, say: QUIET };
	const { health, prompt, events } = f;
	const isOfThisLife =
		health !== null && health.writtenAt >= (events.spawnAt ?? 0);
	const say = decideChildren(
		{
			since,
			now,
			oldestStart: children.oldestStart,
			promptAt: prompt?.at ?? null,
			health: isOfThisLife ? health : null,
		},
		patience,
	);
	return { since, say };
}

const QUIET: ChildrenSay = { kind: "quiet" };
const WITHOUT_CHILDREN: ReadonlySet<PaneStateName> = new Set<PaneStateName>([
	"idle",
	"autosuggest-only",
	"absent",
]);

/**
 * An answer counts only since the last prompt. After somebody spoke to the worker it is left alone for the first
 * span; beyond the ceiling nobody asks any more.
 */
export function decideChildren(
	f: ChildrenFacts,
	p: ChildrenPatience,
): ChildrenSay {
	if (f.now - (f.oldestStart || f.since) >= p.ceiling) return { kind: "over" };
	const answer = answerSincePrompt(f);
	if (answer?.health === "done") return { kind: "left-behind" };
	if (answer?.health === "stuck")
		return { kind: "ask", askedAt: answer.writtenAt, words: "it is stuck" };
	if (f.health !== null && isStillRunning(f.health, f.now, p)) return QUIET;
	const askedAt = lastQuestion(f.since, f.now, p);
	const prompted = ageSeconds(f.now, f.promptAt, p.first);
	// Somebody spoke to it lately, or after the question was due.
	if (prompted !== null && prompted < p.first) return QUIET;
	if (askedAt === null || (f.promptAt ?? 0) >= askedAt) return QUIET;
	return { kind: "ask", askedAt, words: "" };
}

/** An answer from before a newer task says nothing of that one's jobs. */
function answerSincePrompt({
	health,
	promptAt,
}: ChildrenFacts): WorkerHealth | null {
	return health !== null && health.writtenAt >= (promptAt ?? 0) ? health : null;
}

/** When the newest question that is due became so; null: none is yet. */
function lastQuestion(
	since: number,
	now: number,
	{ first, growth, longest }: ChildrenPatience,
): number | null {
	let at = since + first;
	if (now < at) return null;
	const most = Math.max(first, longest);
	for (let wait = first; ; ) {
		const next = Math.min(wait * growth, most);
		// Nothing grows any more: the rest is a division.
		if (next === wait) return at + Math.floor((now - at) / wait) * wait;
		if (at + next > now) return at;
		at += next;
		wait = next;
	}
}
