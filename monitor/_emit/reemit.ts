/**
 * The registry of comments of other repositories: told again until somebody answers (contract 01 §8.2, 02
 * §12). They arrive once, so one whose paste failed would be lost. Decisions only; pure.
 */

import type { MentionLook } from "../_github/mention-look.ts";
import { sameLogin } from "../_state/emit-block-target.ts";
import type { Block, CommentBlock } from "../_state/emit-blocks.ts";
import { targetStem } from "../_state/emit-stem.ts";
import { processedEntry } from "../_state/processed-comments.ts";
import type { UnackedMention } from "../_state/unacked-mentions.ts";
import { ageSeconds } from "../_sys/age.ts";

/** What GitHub says of a comment. */
export type LookKind = MentionLook["kind"];

export interface ReemitRules {
	/** Without eyes it is told again after so many seconds, with eyes after so many. */
	readonly fastSeconds: number;
	readonly slowSeconds: number;
	readonly maxAgeSeconds: number;
	/** Least seconds between two looks at the same comment. */
	readonly recheckSeconds: number;
}

/** Entries by what they are about, so that one thing that two sources found is one entry. */
export function mentionKey({ block }: Pick<UnackedMention, "block">): string {
	return targetStem(block, "");
}

/** `blocks` passed hop 3, whoever wrote them. */
export function register(
	entries: readonly UnackedMention[],
	blocks: readonly CommentBlock[],
	facts: {
		readonly operator: string;
		readonly processed: ReadonlySet<string>;
		readonly now: number;
	},
): readonly UnackedMention[] {
	const known = new Set(entries.map(mentionKey));
	const added: UnackedMention[] = [];
	for (const block of blocks) {
		const key = mentionKey({ block });
		const isDone = facts.processed.has(processedEntry.rocket(block.id));
		if (block.id === "" || block.repo === "" || known.has(key) || isDone)
			continue;
		known.add(key);
		added.push({
			id: block.id,
			repo: block.repo,
			firstSeen: facts.now,
			tier: "fast",
			lastReemit: 0,
			direct: sameLogin(block.author, facts.operator),
			lastRecheck: null,
			block,
		});
	}
	return added.length === 0 ? entries : [...entries, ...added];
}

/** Those that are due to be told again. */
export function pending(
	entries: readonly UnackedMention[],
	now: number,
	{ fastSeconds, slowSeconds }: ReemitRules,
): readonly UnackedMention[] {
	return entries.filter((entry) => {
		const gap = entry.tier === "fast" ? fastSeconds : slowSeconds;
		const age = ageSeconds(now, entry.lastReemit, gap);
		return entry.direct && (age === null || age >= gap);
	});
}

/** Those whose reactions are to be asked for: by the last look, never by when they were last told, or one that is told often would starve its own look. */
export function dueForLook(
	entries: readonly UnackedMention[],
	now: number,
	{ recheckSeconds }: ReemitRules,
): readonly UnackedMention[] {
	return entries.filter(({ direct, lastRecheck }) => {
		const age = ageSeconds(now, lastRecheck, recheckSeconds);
		return direct && (age === null || age >= recheckSeconds);
	});
}

export interface Gc {
	readonly kept: readonly UnackedMention[];
	readonly evicted: readonly {
		readonly id: string;
		readonly reason: string;
	}[];
}

/** `looks`: what GitHub said, by key; an entry without one was not asked about. */
export function gc(
	entries: readonly UnackedMention[],
	looks: ReadonlyMap<string, LookKind>,
	processed: ReadonlySet<string>,
	now: number,
	{ maxAgeSeconds }: ReemitRules,
): Gc {
	const kept: UnackedMention[] = [];
	const evicted: { id: string; reason: string }[] = [];
	for (const entry of entries) {
		const look = looks.get(mentionKey(entry));
		const reason = reasonToEvict(entry, look, processed, now, maxAgeSeconds);
		if (reason === null) kept.push(seen(entry, look, processed, now));
		else evicted.push({ id: entry.id, reason });
	}
	return { kept, evicted };
}

/** Sets `last_reemit` of what was delivered. */
export function learnReemit(
	entries: readonly UnackedMention[],
	delivered: readonly Block[],
	now: number,
): readonly UnackedMention[] {
	const told = new Set(
		delivered.flatMap((block) =>
			block.kind === "comment" && block.repo !== ""
				? [mentionKey({ block })]
				: [],
		),
	);
	return entries.map((entry) =>
		told.has(mentionKey(entry)) ? { ...entry, lastReemit: now } : entry,
	);
}

function reasonToEvict(
	entry: UnackedMention,
	look: LookKind | undefined,
	processed: ReadonlySet<string>,
	now: number,
	maxAgeSeconds: number,
): string | null {
	if (now - entry.firstSeen >= maxAgeSeconds) return "age";
	if (!entry.direct) return null;
	if (processed.has(processedEntry.rocket(entry.id))) return "rocket-local";
	if (look === "rocket") return "rocket";
	return look === "eyes-closed" ? "eyes-closed" : null;
}

function seen(
	entry: UnackedMention,
	look: LookKind | undefined,
	processed: ReadonlySet<string>,
	now: number,
): UnackedMention {
	if (!entry.direct) return entry;
	const eyes = look === "eyes" || isReactedOn(entry, processed);
	return {
		...entry,
		tier: eyes ? "slow" : entry.tier,
		lastRecheck: look === undefined ? entry.lastRecheck : now,
		// A stamp of the future would hold it back for as long as the clock was wrong.
		firstSeen: Math.min(entry.firstSeen, now),
	};
}

/** By the list that the bot keeps of its own reactions. */
function isReactedOn(
	{ id, repo, block }: UnackedMention,
	processed: ReadonlySet<string>,
): boolean {
	return [
		processedEntry.comment(id),
		processedEntry.commentIn(repo, id),
		...(block.fromBody ? [processedEntry.issueIn(repo, block.number)] : []),
	].some((entry) => processed.has(entry));
}
