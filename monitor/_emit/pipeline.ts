/**
 * Between what the sources found and what the orchestrator is told: nine hops, in this order, block by
 * block (contract 02 §10). They only decide; what is to be remembered comes back with the block. Nothing here
 * drops an unanswered comment for good: it comes again until eyes or a rocket stand on it.
 */
import type { Block } from "../_state/emit-blocks.ts";
import type { StampLooks } from "./comment-claims.ts";
import { byAlertCooldown } from "./filters/alert-cooldown.ts";
import { byAuthor } from "./filters/author.ts";
import { byCooldown } from "./filters/cooldown.ts";
import { byCrossRepo, type CrossRepoRule } from "./filters/cross-repo.ts";
import { byProcessed, bySuppression } from "./filters/lists.ts";
import { byMentionBackoff } from "./filters/mention-backoff.ts";
import type { Ruling, Stamp } from "./filters/ruling.ts";
import { bySameTarget, sameTargetKey } from "./filters/same-target.ts";
import { bySkipMarker } from "./filters/skip.ts";

export interface PipelineFacts {
	/** `github.user_login`. */
	readonly operator: string;
	/** `github.repo`. */
	readonly home: string;
	readonly crossRepo: CrossRepoRule;
	/** Ids of comments. */
	readonly suppressed: ReadonlySet<string>;
	/** Entries of the list of handled comments. */
	readonly processed: ReadonlySet<string>;
	readonly stamps: StampLooks;
	/** Seconds; 0 switches a hop off. */
	readonly mentionBackoff: number;
	readonly alertCooldown: number;
	readonly emitCooldown: number;
	/** Epoch seconds. */
	readonly now: number;
}

export interface PassedBlock<B> {
	readonly item: B;
	readonly stamps: readonly Stamp[];
}

export interface Passed<B> {
	readonly passed: readonly PassedBlock<B>[];
	/** Dropped because another view carries them: they must not be lost with it. */
	readonly claimed: readonly B[];
	/** Dropped because their author asked for it. */
	readonly optedOut: readonly B[];
}

/**
 * Null: `isOver` said, between two blocks, that the time is up. `claim` is told the stamps of each block that
 * passed, before the next is looked at.
 */
export function runPipeline<B extends { readonly block: Block }>(
	items: readonly B[],
	facts: PipelineFacts,
	{ isOver, claim }: PipelineSteps,
): Passed<B> | null {
	const seen = new Set<string>();
	const passed: PassedBlock<B>[] = [];
	const claimed: B[] = [];
	const optedOut: B[] = [];
	for (const item of items) {
		if (isOver()) return null;
		const ruled = rule(item.block, facts, seen);
		if (ruled.kind === "keep") {
			claim(ruled.stamps);
			passed.push({ item, stamps: ruled.stamps });
		} else if (ruled.claimed) claimed.push(item);
		else if (ruled.hop === "skip") optedOut.push(item);
	}
	return { passed, claimed, optedOut };
}

export interface PipelineSteps {
	readonly isOver: () => boolean;
	readonly claim: (stamps: readonly Stamp[]) => void;
}

interface Hop {
	readonly name: string;
	/** Who passes this hop is the first of its kind for all that come after. */
	readonly countsAsFirst?: true;
	readonly ask: (
		block: Block,
		facts: PipelineFacts,
		seen: ReadonlySet<string>,
	) => Ruling;
}

const HOPS: readonly Hop[] = [
	{ name: "author", ask: (block, f) => byAuthor(block, f.operator) },
	{ name: "skip", ask: bySkipMarker },
	{ name: "cross-repo", ask: (block, f) => byCrossRepo(block, f.crossRepo) },
	{
		name: "same target",
		countsAsFirst: true,
		ask: (block, f, seen) => bySameTarget(block, seen, f.home),
	},
	{
		name: "suppression",
		ask: (block, f) => bySuppression(block, f.suppressed),
	},
	{ name: "processed", ask: (block, f) => byProcessed(block, f.processed) },
	{
		name: "mention backoff",
		ask: (block, { stamps, mentionBackoff: seconds, now, home }) =>
			byMentionBackoff(block, { last: stamps.mention, seconds, now, home }),
	},
	{
		name: "alert cooldown",
		ask: (block, { stamps, alertCooldown: seconds, now }) =>
			byAlertCooldown(block, { last: stamps.alert, seconds, now }),
	},
	{
		name: "emit cooldown",
		ask: (block, { stamps, emitCooldown: seconds, now, home }) =>
			byCooldown(block, { last: stamps.comment, seconds, now, home }),
	},
];

type Ruled =
	| { readonly kind: "keep"; readonly stamps: readonly Stamp[] }
	| {
			readonly kind: "drop";
			readonly hop: string;
			readonly claimed: boolean;
	  };

function rule(block: Block, facts: PipelineFacts, seen: Set<string>): Ruled {
	const stamps: Stamp[] = [];
	for (const { name, ask, countsAsFirst } of HOPS) {
		const ruling = ask(block, facts, seen);
		if (ruling.kind === "drop")
			return { kind: "drop", hop: name, claimed: ruling.claimed };
		if (ruling.stamp !== null) stamps.push(ruling.stamp);
		const key = countsAsFirst ? sameTargetKey(block, facts.home) : null;
		if (key !== null) seen.add(key);
	}
	return { kind: "keep", stamps };
}
