/** One page of a search, and whether it is whole (contract 02 §7.3, §7.4). Pure. */
import type { Surface } from "../_state/graphql-backoff.ts";
import { type Mark, readMarks } from "./eligibility.ts";
import { at, idAt, listAt, textAt } from "./json-look.ts";
import type { NextPage, PageAnswer } from "./walk.ts";

export interface SearchPage {
	readonly nodes: readonly unknown[];
	readonly next: NextPage;
}

/** The answer to a search; null: it is none. */
export function readSearchPage(data: unknown): SearchPage | null {
	const nodes = listAt(data, "search", "nodes");
	if (nodes === null) return null;
	return {
		nodes,
		next: {
			hasNext: at(data, "search", "pageInfo", "hasNextPage") === true,
			cursor: textAt(data, "search", "pageInfo", "endCursor"),
		},
	};
}

/** A comment, or the opening of an issue, as GraphQL gives it. */
export interface SearchRecord {
	/** Digits; null: it has none, and cannot be told. */
	readonly id: string | null;
	readonly login: string | null;
	readonly typeName: string | null;
	readonly body: string | null;
	readonly path: string | null;
	/** Of the first page. */
	readonly marks: readonly Mark[];
	readonly hasMoreMarks: boolean;
}

/** An issue or pull request. */
export interface SearchNode {
	/** `Issue`, `PullRequest`, …; null when it was not asked for. */
	readonly typeName: string | null;
	readonly number: string;
	/** Null when it was not asked for. */
	readonly repo: string | null;
	/** The issue itself; null when only its comments were asked for. */
	readonly opening: SearchRecord | null;
	readonly comments: readonly SearchRecord[];
	readonly reviewComments: readonly SearchRecord[];
}

/** A page with one record whose reactions did not come is dropped as a whole. */
export function judgePage(
	page: SearchPage,
	surface: Surface,
): PageAnswer<SearchNode> {
	const nodes = page.nodes.map((node) => readNode(node, surface));
	const isWhole = nodes.every((node) => node !== "not whole");
	if (!isWhole) return { kind: "partial", next: page.next };
	const items = nodes.filter((node) => node !== null);
	return { kind: "page", items, next: page.next };
}

/** Null: a node that is not there, or has no number. */
function readNode(
	node: unknown,
	surface: Surface,
): SearchNode | "not whole" | null {
	const number = idAt(node, "number");
	if (number === null) return null;
	const opening = HAS_OPENING[surface] ? readRecord(node) : null;
	const comments = HAS_COMMENTS[surface] ? commentsOf(node) : [];
	const threads = surface === "pr_comments" ? threadsOf(node) : [];
	if (opening === "not whole" || comments === null || threads === null)
		return "not whole";
	return {
		typeName: textAt(node, "__typename"),
		number,
		repo: textAt(node, "repository", "nameWithOwner"),
		opening,
		comments,
		reviewComments: threads,
	};
}

const HAS_OPENING: Readonly<Record<Surface, boolean>> = {
	issue_comments: false,
	pr_comments: false,
	new_issues: true,
	mentions: true,
	bot_mentions: true,
};
const HAS_COMMENTS: Readonly<Record<Surface, boolean>> = {
	issue_comments: true,
	pr_comments: true,
	new_issues: false,
	mentions: true,
	bot_mentions: true,
};

/** Null: not whole. */
function commentsOf(node: unknown): readonly SearchRecord[] | null {
	const nodes = listAt(node, "comments", "nodes");
	if (nodes === null) return null;
	const records = nodes
		.filter((comment) => comment !== null)
		.map((comment) => readRecord(comment));
	return records.every((record) => record !== "not whole") ? records : null;
}

function threadsOf(node: unknown): readonly SearchRecord[] | null {
	const threads = listAt(node, "reviewThreads", "nodes");
	if (threads === null) return null;
	const lists = threads.filter((thread) => thread !== null).map(commentsOf);
	return lists.every((list) => list !== null) ? lists.flat() : null;
}

function readRecord(record: unknown): SearchRecord | "not whole" {
	const marks = readMarks(listAt(record, "reactions", "nodes"));
	if (marks === null) return "not whole";
	return {
		// Half of the types that `databaseId` was on have lost it.
		id: idAt(record, "fullDatabaseId") ?? idAt(record, "databaseId"),
		login: textAt(record, "author", "login"),
		typeName: textAt(record, "author", "__typename"),
		body: textAt(record, "body"),
		path: textAt(record, "path"),
		marks,
		hasMoreMarks: at(record, "reactions", "pageInfo", "hasNextPage") === true,
	};
}
