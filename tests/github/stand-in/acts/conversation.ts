/** What people and Apps do in issues: open, comment, edit, react, close. */
import { recordEvent } from "../events.ts";
import type { Place } from "../place.ts";
import {
	type Comment,
	findIssue,
	findRepo,
	type Issue,
	nextId,
	personOf,
	type Reaction,
	type ReactionContent,
	type Repo,
	same,
	type Written,
} from "../world.ts";

/**
 * Ids begin above what 32 bits hold, as GitHub's do by now. Each table counts for itself, so that a comment and a
 * review comment may have the same: an id's kind cannot be guessed.
 */
const FIRST_ID = 3_000_000_001;
type Table = "issue" | "comment" | "review comment";

export interface OpenIssue {
	readonly user: string;
	readonly title: string;
	readonly body?: string;
	readonly labels?: readonly string[];
}

export function createRepo(
	{ state }: Place,
	fullName: string,
	opts: {
		readonly isPrivate?: boolean;
		readonly defaultBranch?: string;
		/** The App is installed there. Default: yes. */
		readonly installed?: boolean;
	} = {},
): Repo {
	const repo: Repo = {
		id: nextId(state, "repo", 700_000_001),
		fullName,
		isPrivate: opts.isPrivate ?? true,
		defaultBranch: opts.defaultBranch ?? "main",
		issues: [],
		comments: [],
		reviewComments: [],
		reviews: [],
		git: { blobs: {}, trees: {}, commits: {}, refs: {} },
	};
	state.repos.push(repo);
	personOf(state, fullName.split("/")[0] ?? "");
	const [installation] = state.app.installations;
	if (opts.installed !== false) installation?.repos.push(fullName);
	return repo;
}

export function openIssue(place: Place, name: string, given: OpenIssue): Issue {
	const repo = theRepo(place, name);
	const issue = newIssue(place, repo, given, null);
	recordEvent(place, repo, "issues", "opened", given.user, { issue });
	return issue;
}

export function comment(
	place: Place,
	name: string,
	number: number,
	user: string,
	body: string,
): Comment {
	const repo = theRepo(place, name);
	const issue = theIssue(repo, number);
	const made: Comment = {
		...written(place, "comment", user, body),
		issue: number,
	};
	repo.comments.push(made);
	issue.updatedAt = made.createdAt;
	const about = { issue, comment: made };
	recordEvent(place, repo, "issue_comment", "created", user, about);
	return made;
}

/** An edit of a comment tells the log, so that the same comment arrives with two bodies. */
export function editComment(
	place: Place,
	name: string,
	id: number,
	user: string,
	body: string,
): void {
	const repo = theRepo(place, name);
	const found = repo.comments.find((c) => c.id === id);
	if (found === undefined) throw new Error(`no comment ${id} in ${name}`);
	found.body = body;
	found.updatedAt = Math.max(place.now(), found.updatedAt + 1);
	const about = { issue: theIssue(repo, found.issue), comment: found };
	recordEvent(place, repo, "issue_comment", "edited", user, about);
}

/** A second reaction of the same kind by the same person is the first one again, as at GitHub. */
export function react(
	place: Place,
	on: Written,
	user: string | null,
	content: ReactionContent,
): { readonly reaction: Reaction; readonly isNew: boolean } {
	const before = on.reactions.find(
		(r) =>
			r.content === content &&
			user !== null &&
			r.user !== null &&
			same(r.user, user),
	);
	if (before !== undefined) return { reaction: before, isNew: false };
	const reaction: Reaction = {
		id: nextId(place.state, "reaction", 300_000_001),
		user,
		content,
		at: place.now(),
	};
	on.reactions.push(reaction);
	return { reaction, isNew: true };
}

export function setIssueState(
	place: Place,
	issue: Issue,
	state: "open" | "closed",
): void {
	issue.state = state;
	issue.closedAt = state === "closed" ? place.now() : null;
	issue.updatedAt = place.now();
}

export function newIssue(
	place: Place,
	repo: Repo,
	given: OpenIssue,
	pull: Issue["pull"],
): Issue {
	const issue: Issue = {
		...written(place, "issue", given.user, given.body ?? ""),
		number: Math.max(0, ...repo.issues.map((i) => i.number)) + 1,
		title: given.title,
		state: "open",
		closedAt: null,
		labels: [...(given.labels ?? [])],
		pull,
	};
	repo.issues.push(issue);
	return issue;
}

export function written(
	{ state, now }: Place,
	table: Table,
	user: string,
	body: string,
): Written {
	const at = now();
	personOf(state, user);
	const id = nextId(state, table, FIRST_ID);
	return { id, user, body, createdAt: at, updatedAt: at, reactions: [] };
}

export function theRepo({ state }: Place, name: string): Repo {
	const repo = findRepo(state, name);
	if (repo === undefined) throw new Error(`the stand-in has no ${name}`);
	return repo;
}

export function theIssue(repo: Repo, number: number): Issue {
	const issue = findIssue(repo, number);
	if (issue === undefined) throw new Error(`no ${repo.fullName}#${number}`);
	return issue;
}
