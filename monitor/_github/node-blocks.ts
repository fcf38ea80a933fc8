/** From the issues and pull requests of a search to the blocks of what is open on them (contract 02 §7.4). */
import type { CommentBlock } from "../_state/emit-blocks.ts";
import { isHandled } from "../_state/processed-comments.ts";
import { authorLogin, blockOf, type Found, type Where } from "./found.ts";
import type { OpenMarks } from "./open-marks.ts";
import type { SearchNode, SearchRecord } from "./search-page.ts";

export interface NodeRules {
	/** Slug of the bot. */
	readonly botLogin: string;
	readonly processed: ReadonlySet<string>;
	readonly marks: OpenMarks;
}

/** The surfaces of the configured repository. */
export type HomeSurface = "issue_comments" | "pr_comments" | "new_issues";

/** In the order of the pages; of a pull request its conversation before its review comments. */
export async function blocksOfNodes(
	surface: HomeSurface,
	nodes: readonly SearchNode[],
	rules: NodeRules,
): Promise<readonly CommentBlock[]> {
	const blocks: CommentBlock[] = [];
	for (const { record, found } of nodes.flatMap(RECORDS[surface])) {
		const block = blockOf(found, HOME, rules.botLogin);
		const open = await rules.marks.look(record, block);
		if (open === "open" && !isHandled(block, rules.processed))
			blocks.push(block);
	}
	return blocks;
}

export interface RecordFound {
	readonly record: SearchRecord;
	readonly found: Found;
}

/** What a record would be told as; none without an id. */
export function foundOf(
	record: SearchRecord,
	what: Found["what"],
	number: string,
): readonly RecordFound[] {
	const id = what === "issue_new" ? number : record.id;
	if (id === null) return [];
	const author = authorLogin(record.login, record.typeName);
	const { body: text, path } = record;
	return [{ record, found: { what, number, id, author, text, path } }];
}

const HOME: Where = { kind: "home" };

const RECORDS: Readonly<
	Record<HomeSurface, (node: SearchNode) => readonly RecordFound[]>
> = {
	issue_comments: ({ number, comments }) =>
		comments.flatMap((record) => foundOf(record, "issue", number)),
	pr_comments: ({ number, comments, reviewComments }) => [
		...comments.flatMap((record) => foundOf(record, "pr", number)),
		...reviewComments.flatMap((record) => foundOf(record, "pr_review", number)),
	],
	new_issues: ({ number, opening }) =>
		opening === null ? [] : foundOf(opening, "issue_new", number),
};
