/** Issues, pull requests and what hangs on them, as the GraphQL schema names it. Fields with arguments are functions. */
import { iso, type Place } from "../place.ts";
import { issuePage } from "../render/issue.ts";
import { nodeId } from "../render/person.ts";
import {
	type Issue,
	personOf,
	type Reaction,
	type ReactionContent,
	type Repo,
	type ReviewComment,
	type Written,
} from "../world.ts";
import { connection, type PageArgs } from "./connection.ts";

export function issueNode(place: Place, repo: Repo, issue: Issue) {
	const { pull, number } = issue;
	const comments = repo.comments.filter((c) => c.issue === number);
	return {
		...writtenNode(place, issue),
		__typename: pull === null ? "Issue" : "PullRequest",
		id: nodeId(pull === null ? "I" : "PR", issue.id),
		number,
		title: issue.title,
		state: pull?.mergedAt ? "MERGED" : issue.state.toUpperCase(),
		closed: issue.state === "closed",
		url: issuePage(place, repo, issue),
		repository: repositoryNode(place, repo),
		comments: (args: PageArgs) =>
			connection(comments, args, (c) => ({
				...writtenNode(place, c),
				__typename: "IssueComment",
				id: nodeId("IC", c.id),
				url: `${issuePage(place, repo, issue)}#issuecomment-${c.id}`,
			})),
		reviewThreads: (args: PageArgs) =>
			connection(threadsOf(repo, number), args, (thread) => ({
				__typename: "PullRequestReviewThread",
				id: nodeId("PRRT", thread[0]?.thread ?? 0),
				isResolved: false,
				path: thread[0]?.path ?? "",
				comments: (inner: PageArgs) =>
					connection(thread, inner, (c) => ({
						...writtenNode(place, c),
						__typename: "PullRequestReviewComment",
						id: nodeId("PRRC", c.id),
						path: c.path,
						line: c.line,
					})),
			})),
	};
}

export function repositoryNode({ webBase }: Place, repo: Repo) {
	const [login = "", name = ""] = repo.fullName.split("/");
	return {
		__typename: "Repository",
		id: nodeId("R", repo.id),
		databaseId: repo.id,
		name,
		nameWithOwner: repo.fullName,
		isPrivate: repo.isPrivate,
		url: `${webBase}/${repo.fullName}`,
		owner: { __typename: "Organization", login },
	};
}

/** An App has no `[bot]` here, and may so carry the name of a person. */
function actorNode(place: Place, login: string) {
	const { type } = personOf(place.state, login);
	return { __typename: type, login: login.replace(/\[bot\]$/, "") };
}

function writtenNode(place: Place, written: Written) {
	return {
		fullDatabaseId: String(written.id),
		// A 32-bit integer in the schema: today's ids do not fit, and asking for it is an error.
		databaseId: written.id,
		author: actorNode(place, written.user),
		body: written.body,
		createdAt: iso(written.createdAt),
		updatedAt: iso(written.updatedAt),
		reactions: (args: PageArgs) =>
			connection(written.reactions, args, (r) => reactionNode(place, r)),
	};
}

/** `Reaction.user` is a `User`; an App is none, so its reactions are nobody's. */
function reactionNode(place: Place, reaction: Reaction) {
	const { id, user, content, at } = reaction;
	const isPerson = user !== null && personOf(place.state, user).type === "User";
	return {
		__typename: "Reaction",
		id: nodeId("REA", id),
		databaseId: id,
		content: CONTENT[content],
		createdAt: iso(at),
		user: isPerson ? { __typename: "User", login: user } : null,
	};
}

function threadsOf(repo: Repo, number: number): readonly ReviewComment[][] {
	const own = repo.reviewComments.filter((c) => c.pull === number);
	return [...Map.groupBy(own, (c) => c.thread).values()];
}

const CONTENT: Readonly<Record<ReactionContent, string>> = {
	"+1": "THUMBS_UP",
	"-1": "THUMBS_DOWN",
	laugh: "LAUGH",
	confused: "CONFUSED",
	heart: "HEART",
	hooray: "HOORAY",
	rocket: "ROCKET",
	eyes: "EYES",
};
