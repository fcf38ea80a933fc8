/** Which records of a search name somebody and are new (contract 02 §8.1). Pure. */
import { sameRepo } from "../_state/emit-block-target.ts";
import { mentions } from "../_state/emit-block-words.ts";
import type { MentionCursor, MentionTable } from "../_state/mention-cursor.ts";
import type { Found } from "./found.ts";
import { foundOf } from "./node-blocks.ts";
import type { SearchNode, SearchRecord } from "./search-page.ts";

export interface MentionScope {
	readonly shape: "mention" | "cross_repo";
	/** Whose mention counts. */
	readonly handle: string;
	/** The configured repository, which has searches of its own. */
	readonly home: string;
	/** Repositories with the bot; empty: nobody knows. */
	readonly installed: readonly string[];
	/** True: only those; false: only others. */
	readonly inInstalled: boolean;
}

export interface Candidate {
	readonly repo: string;
	readonly table: MentionTable;
	readonly id: bigint;
	readonly found: Found;
	readonly record: SearchRecord;
}

/** In the order of the page: of each node its own text before its comments. The whole text is searched, not its preview. */
export function mentionWalk(
	nodes: readonly SearchNode[],
	scope: MentionScope,
	cursor: MentionCursor,
): readonly Candidate[] {
	return nodes
		.filter(({ repo }) => repo !== null && isInScope(repo, scope))
		.flatMap(candidatesOf)
		.filter(({ record }) => mentions(record.body ?? "", scope.handle))
		.filter(({ table, id }) => id > cursor[table]);
}

/** The largest id given out of each table, but never past one that nobody could judge yet. */
export function nextCursor(
	cursor: MentionCursor,
	told: readonly Candidate[],
	unknown: readonly Candidate[],
): MentionCursor {
	const next = { ...cursor };
	for (const { table, id } of told) if (id > next[table]) next[table] = id;
	for (const { table, id } of unknown)
		if (id <= next[table]) next[table] = id - 1n;
	return next;
}

function isInScope(
	repo: string,
	{ home, installed, inInstalled }: MentionScope,
): boolean {
	if (sameRepo(repo, home)) return false;
	return installed.some((name) => sameRepo(name, repo)) === inInstalled;
}

function candidatesOf(node: SearchNode): readonly Candidate[] {
	const { number, repo, opening, comments } = node;
	const isPull = node.typeName === "PullRequest";
	const what = isPull ? "pr" : "issue";
	const own = opening === null ? [] : foundOf(opening, what, number);
	return [
		...own.map(({ record, found }) => ({
			table: isPull ? ("pull" as const) : ("issue" as const),
			record,
			found: { ...found, isOpening: true },
		})),
		...comments
			.flatMap((record) => foundOf(record, what, number))
			.map(({ record, found }) => ({
				table: "comment" as const,
				record,
				found,
			})),
	].map((one) => ({ ...one, repo: repo ?? "", id: BigInt(one.found.id) }));
}
