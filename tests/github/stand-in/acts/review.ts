/** What people and Apps do in pull requests. */
import { recordEvent } from "../events.ts";
import type { Place } from "../place.ts";
import {
	type Issue,
	nextId,
	type Review,
	type ReviewComment,
} from "../world.ts";
import {
	newIssue,
	type OpenIssue,
	theIssue,
	theRepo,
	written,
} from "./conversation.ts";

export function openPull(
	place: Place,
	name: string,
	given: OpenIssue & {
		readonly head: string;
		readonly base?: string;
		readonly headSha?: string;
	},
): Issue {
	const repo = theRepo(place, name);
	const sha = "0".repeat(40);
	const issue = newIssue(place, repo, given, {
		head: given.head,
		base: given.base ?? repo.defaultBranch,
		headSha: given.headSha ?? repo.git.refs[`refs/heads/${given.head}`] ?? sha,
		baseSha: repo.git.refs[`refs/heads/${given.base ?? "main"}`] ?? sha,
		mergedAt: null,
		mergeSha: null,
		reviewers: [],
	});
	recordEvent(place, repo, "pull_request", "opened", given.user, { issue });
	return issue;
}

export function reviewComment(
	place: Place,
	name: string,
	number: number,
	user: string,
	given: {
		readonly body: string;
		readonly path: string;
		readonly line?: number;
		readonly replyTo?: number;
	},
): ReviewComment {
	const repo = theRepo(place, name);
	const issue = theIssue(repo, number);
	const base = written(place, "review comment", user, given.body);
	const made: ReviewComment = {
		...base,
		pull: number,
		path: given.path,
		line: given.line ?? 1,
		commit: issue.pull?.headSha ?? "",
		thread:
			repo.reviewComments.find((c) => c.id === given.replyTo)?.thread ??
			base.id,
		review: nextId(place.state, "review", 2_000_000_001),
	};
	repo.reviewComments.push(made);
	const about = { issue, reviewComment: made };
	recordEvent(
		place,
		repo,
		"pull_request_review_comment",
		"created",
		user,
		about,
	);
	return made;
}

export function submitReview(
	place: Place,
	name: string,
	number: number,
	user: string,
	given: { readonly body: string; readonly state?: Review["state"] },
): Review {
	const repo = theRepo(place, name);
	const issue = theIssue(repo, number);
	const review: Review = {
		id: nextId(place.state, "review", 2_000_000_001),
		pull: number,
		user,
		body: given.body,
		state: given.state ?? "COMMENTED",
		commit: issue.pull?.headSha ?? "",
		at: place.now(),
	};
	repo.reviews.push(review);
	const about = { issue, review };
	recordEvent(place, repo, "pull_request_review", "submitted", user, about);
	return review;
}
