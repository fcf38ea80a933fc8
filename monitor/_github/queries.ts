/**
 * What is asked of GitHub's search (contract 02 §7.2, §8.1). Pure.
 *
 * GitHub refuses a query that could return over 500,000 nodes: the sum over all connections of the
 * product of the limits above them. At a page of 100 the one for pull requests comes to 497,100. A
 * larger limit anywhere breaks it, and such a query once failed on every call, silently.
 */
import type { Surface } from "../_state/graphql-backoff.ts";

const WHO = "fragment Who on Actor { __typename login }";
const MARKS =
	"fragment Marks on ReactionConnection { pageInfo { hasNextPage } nodes { content user { login } } }";

/** A record: who, what, and its first reactions. */
function record(reactions: number): string {
	return `fullDatabaseId author { ...Who } body reactions(first: ${reactions}) { ...Marks }`;
}

function search(name: string, nodes: string): string {
	return `query ${name}($q: String!, $first: Int!, $after: String) {
  search(type: ISSUE, query: $q, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor }
    nodes { ${nodes} }
  }
}
${WHO}
${MARKS}`;
}

const MENTION_NODE = `__typename number ${record(50)}
      repository { nameWithOwner }
      comments(last: 50) { nodes { ${record(10)} } }`;

/** Documents by surface; each takes `q`, `first` and, from the second page, `after`. */
export const QUERIES: Readonly<Record<Surface, string>> = {
	// A comment stays eligible for ever: a smaller window would let an unanswered one scroll out of it.
	issue_comments: search(
		"IssueComments",
		`... on Issue { number comments(last: 50) { nodes { ${record(50)} } } }`,
	),
	pr_comments: search(
		"PrComments",
		`... on PullRequest { number
      comments(last: 50) { nodes { ${record(10)} } }
      reviewThreads(last: 20) { nodes { comments(last: 20) { nodes { path ${record(10)} } } } } }`,
	),
	new_issues: search(
		"NewIssues",
		"... on Issue { number author { ...Who } body reactions(first: 100) { ...Marks } }",
	),
	mentions: search(
		"Mentions",
		`... on Issue { ${MENTION_NODE} } ... on PullRequest { ${MENTION_NODE} }`,
	),
	bot_mentions: search(
		"BotMentions",
		`... on Issue { ${MENTION_NODE} } ... on PullRequest { ${MENTION_NODE} }`,
	),
};

/** Sorted by creation, an order that never changes during a walk: others move items between pages, and skip some. */
export function searchString(
	surface: Surface,
	who: {
		readonly repo: string;
		readonly operator: string;
		/** Slug of the bot, without `[bot]`. */
		readonly bot: string;
	},
): string {
	switch (surface) {
		case "issue_comments":
			return `repo:${who.repo} is:issue is:open sort:created-asc`;
		case "pr_comments":
			return `repo:${who.repo} is:pr is:open sort:created-asc`;
		case "new_issues":
			return `repo:${who.repo} is:issue is:open author:${who.operator} sort:created-asc`;
		case "mentions":
			return `mentions:${who.operator} sort:updated-desc`;
		case "bot_mentions":
			// `mentions:` does not know Apps; quoted words find them.
			return `"@${who.bot}" sort:updated-desc`;
	}
}
