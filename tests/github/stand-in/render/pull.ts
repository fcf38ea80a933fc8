/** `pull-request`, `pull-request-review-comment`, `pull-request-review`. */
import { iso, type Place } from "../place.ts";
import type { Issue, Pull, Repo, Review, ReviewComment } from "../world.ts";
import {
	association,
	issuePage,
	reactionSummary,
	renderLabel,
	repoUrl,
} from "./issue.ts";
import { nodeId, renderPerson } from "./person.ts";
import { renderRepo } from "./repository.ts";

/** `issue` must be a pull request's. */
export function renderPull(place: Place, repo: Repo, issue: Issue) {
	return {
		...renderSimplePull(place, repo, issue),
		...counts(repo, issue),
	};
}

/** As in lists and payloads of reviews: without the counts. */
export function renderSimplePull(place: Place, repo: Repo, issue: Issue) {
	const pull = pullOf(issue);
	const base = repoUrl(place, repo);
	const url = `${base}/pulls/${issue.number}`;
	const page = issuePage(place, repo, issue);
	const links = {
		html: page,
		issue: `${base}/issues/${issue.number}`,
		comments: `${base}/issues/${issue.number}/comments`,
		review_comments: `${url}/comments`,
		review_comment: `${base}/pulls/comments{/number}`,
		commits: `${url}/commits`,
		statuses: `${base}/statuses/${pull.headSha}`,
	};
	return {
		url,
		id: issue.id,
		node_id: nodeId("PR", issue.id),
		html_url: page,
		diff_url: `${page}.diff`,
		patch_url: `${page}.patch`,
		issue_url: links.issue,
		number: issue.number,
		state: issue.state,
		locked: false,
		title: issue.title,
		user: renderPerson(place, issue.user),
		body: issue.body === "" ? null : issue.body,
		created_at: iso(issue.createdAt),
		updated_at: iso(issue.updatedAt),
		closed_at: issue.closedAt === null ? null : iso(issue.closedAt),
		merged_at: pull.mergedAt === null ? null : iso(pull.mergedAt),
		merge_commit_sha: pull.mergeSha,
		assignee: null,
		assignees: [],
		requested_reviewers: pull.reviewers.map((who) => renderPerson(place, who)),
		requested_teams: [],
		labels: issue.labels.map((name) => renderLabel(place, repo, name)),
		milestone: null,
		draft: false,
		commits_url: links.commits,
		review_comments_url: links.review_comments,
		review_comment_url: links.review_comment,
		comments_url: links.comments,
		statuses_url: links.statuses,
		head: end(place, repo, pull.head, pull.headSha),
		base: end(place, repo, pull.base, pull.baseSha),
		_links: Object.fromEntries(
			Object.entries({ self: url, ...links }).map(([name, href]) => [
				name,
				{ href },
			]),
		),
		author_association: association(repo, issue.user),
		auto_merge: null,
		active_lock_reason: null,
	};
}

export function renderReviewComment(
	place: Place,
	repo: Repo,
	comment: ReviewComment,
) {
	const pull = `${repoUrl(place, repo)}/pulls/${comment.pull}`;
	const url = `${repoUrl(place, repo)}/pulls/comments/${comment.id}`;
	const page = `${place.webBase}/${repo.fullName}/pull/${comment.pull}#discussion_r${comment.id}`;
	return {
		url,
		pull_request_review_id: comment.review,
		id: comment.id,
		node_id: nodeId("PRRC", comment.id),
		diff_hunk: "@@ -1 +1 @@",
		path: comment.path,
		commit_id: comment.commit,
		original_commit_id: comment.commit,
		user: renderPerson(place, comment.user),
		body: comment.body,
		created_at: iso(comment.createdAt),
		updated_at: iso(comment.updatedAt),
		html_url: page,
		pull_request_url: pull,
		author_association: association(repo, comment.user),
		_links: {
			self: { href: url },
			html: { href: page },
			pull_request: { href: pull },
		},
		...(comment.thread === comment.id
			? {}
			: { in_reply_to_id: comment.thread }),
		start_line: null,
		original_start_line: null,
		start_side: null,
		line: comment.line,
		original_line: comment.line,
		side: "RIGHT",
		position: 1,
		original_position: 1,
		subject_type: "line",
		reactions: reactionSummary(url, comment.reactions),
	};
}

export function renderReview(place: Place, repo: Repo, review: Review) {
	const pull = `${repoUrl(place, repo)}/pulls/${review.pull}`;
	const page = `${place.webBase}/${repo.fullName}/pull/${review.pull}#pullrequestreview-${review.id}`;
	return {
		id: review.id,
		node_id: nodeId("PRR", review.id),
		user: renderPerson(place, review.user),
		body: review.body,
		state: review.state,
		html_url: page,
		pull_request_url: pull,
		author_association: association(repo, review.user),
		_links: { html: { href: page }, pull_request: { href: pull } },
		submitted_at: iso(review.at),
		commit_id: review.commit,
	};
}

export function pullOf(issue: Issue): Pull {
	if (issue.pull === null)
		throw new Error(`#${issue.number} is no pull request`);
	return issue.pull;
}

function end(place: Place, repo: Repo, ref: string, sha: string) {
	const [owner = ""] = repo.fullName.split("/");
	return {
		label: `${owner}:${ref}`,
		ref,
		sha,
		user: renderPerson(place, owner),
		repo: renderRepo(place, repo),
	};
}

function counts(repo: Repo, issue: Issue) {
	const pull = pullOf(issue);
	const { number, state } = issue;
	return {
		merged: pull.mergedAt !== null,
		mergeable: state === "open" ? true : null,
		rebaseable: state === "open" ? true : null,
		mergeable_state: state === "open" ? "clean" : "unknown",
		merged_by: null,
		comments: repo.comments.filter((c) => c.issue === number).length,
		review_comments: repo.reviewComments.filter((c) => c.pull === number)
			.length,
		maintainer_can_modify: false,
		commits: 1,
		additions: 1,
		deletions: 0,
		changed_files: 1,
	};
}
