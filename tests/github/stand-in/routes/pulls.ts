/** Pull requests, their reviews and review comments. */
import {
	openPull,
	reviewComment,
	setIssueState,
	submitReview,
} from "../acts.ts";
import { commitOf, writeCommit } from "../git-objects.ts";
import {
	created,
	type Handler,
	invalid,
	listReply,
	notFound,
	ok,
	refuse,
	text,
} from "../http.ts";
import {
	pullOf,
	renderPull,
	renderReview,
	renderReviewComment,
	renderSimplePull,
} from "../render/pull.ts";
import { findIssue, type Issue, type Repo } from "../world.ts";
import { inRepo } from "./in-repo.ts";

const ONE = "/repos/{owner}/{repo}/pulls/{pull_number}";

export const pullRoutes: Readonly<Record<string, Handler>> = {
	"GET /repos/{owner}/{repo}/pulls": inRepo((request, place, repo) => {
		const state = request.query.get("state") ?? "open";
		const found = repo.issues.filter(
			(i) => i.pull !== null && (state === "all" || i.state === state),
		);
		return listReply(request, found.toReversed(), (i) =>
			renderSimplePull(place, repo, i),
		);
	}),

	"POST /repos/{owner}/{repo}/pulls": inRepo(({ body }, place, repo, who) => {
		const head = text(body, "head").split(":").at(-1) ?? "";
		const base = text(body, "base");
		const sha = repo.git.refs[`refs/heads/${head}`];
		if (sha === undefined) return invalid("PullRequest", "head");
		if (repo.git.refs[`refs/heads/${base}`] === undefined)
			return invalid("PullRequest", "base");
		const given = { user: who, title: text(body, "title"), head, base };
		const pull = openPull(place, repo.fullName, {
			...given,
			body: text(body, "body"),
		});
		return created(renderPull(place, repo, pull));
	}),

	[`GET ${ONE}`]: inRepo(({ params }, place, repo) => {
		const pull = thePull(repo, params);
		return pull === undefined ? notFound() : ok(renderPull(place, repo, pull));
	}),

	[`PATCH ${ONE}`]: inRepo(({ params, body }, place, repo) => {
		const pull = thePull(repo, params);
		if (pull === undefined) return notFound();
		if (typeof body.title === "string") pull.title = body.title;
		if (typeof body.body === "string") pull.body = body.body;
		const { state } = body;
		if (state === "open" || state === "closed")
			setIssueState(place, pull, state);
		pull.updatedAt = place.now();
		return ok(renderPull(place, repo, pull));
	}),

	[`PUT ${ONE}/merge`]: inRepo(({ params, body }, place, repo, who) => {
		const issue = thePull(repo, params);
		if (issue === undefined) return notFound();
		const pull = pullOf(issue);
		const head = repo.git.refs[`refs/heads/${pull.head}`] ?? pull.headSha;
		if (issue.state === "closed")
			return refuse(405, "Pull Request is not mergeable");
		if (typeof body.sha === "string" && body.sha !== head)
			return refuse(
				409,
				"Head branch was modified. Review and try the merge again.",
			);
		const base = `refs/heads/${pull.base}`;
		const sha = writeCommit(repo, {
			tree: commitOf(repo, head)?.tree ?? "",
			parents: [repo.git.refs[base] ?? pull.baseSha],
			message: text(body, "commit_title") || issue.title,
			author: { name: who, email: `${who}@example`, at: place.now() },
		});
		repo.git.refs[base] = sha;
		Object.assign(pull, { mergeSha: sha, mergedAt: place.now() });
		setIssueState(place, issue, "closed");
		return ok({
			sha,
			merged: true,
			message: "Pull Request successfully merged",
		});
	}),

	[`POST ${ONE}/requested_reviewers`]: inRepo(
		({ params, body }, place, repo, who) => {
			const issue = thePull(repo, params);
			if (issue === undefined) return notFound();
			const wanted = Array.isArray(body.reviewers)
				? body.reviewers.map(String)
				: [];
			if (wanted.includes(issue.user) || wanted.includes(who))
				return refuse(
					422,
					"Review cannot be requested from pull request author.",
				);
			pullOf(issue).reviewers.push(...wanted);
			return created(renderSimplePull(place, repo, issue));
		},
	),

	[`GET ${ONE}/comments`]: inRepo((request, place, repo) => {
		const issue = thePull(repo, request.params);
		if (issue === undefined) return notFound();
		const found = repo.reviewComments.filter((c) => c.pull === issue.number);
		return listReply(request, found, (c) =>
			renderReviewComment(place, repo, c),
		);
	}),

	[`POST ${ONE}/comments/{comment_id}/replies`]: inRepo(
		({ params, body }, place, repo, who) => {
			const first = repo.reviewComments.find(
				(c) => String(c.id) === params.comment_id,
			);
			if (first === undefined) return notFound();
			const made = reviewComment(place, repo.fullName, first.pull, who, {
				body: text(body, "body"),
				path: first.path,
				line: first.line,
				replyTo: first.id,
			});
			return created(renderReviewComment(place, repo, made));
		},
	),

	"GET /repos/{owner}/{repo}/pulls/comments/{comment_id}": inRepo(
		({ params }, place, repo) => {
			const found = repo.reviewComments.find(
				(c) => String(c.id) === params.comment_id,
			);
			return found === undefined
				? notFound()
				: ok(renderReviewComment(place, repo, found));
		},
	),

	[`GET ${ONE}/reviews`]: inRepo((request, place, repo) => {
		const issue = thePull(repo, request.params);
		if (issue === undefined) return notFound();
		const found = repo.reviews.filter((r) => r.pull === issue.number);
		return listReply(request, found, (r) => renderReview(place, repo, r));
	}),

	[`POST ${ONE}/reviews`]: inRepo(({ params, body }, place, repo, who) => {
		const issue = thePull(repo, params);
		if (issue === undefined) return notFound();
		const review = submitReview(place, repo.fullName, issue.number, who, {
			body: text(body, "body"),
		});
		return ok(renderReview(place, repo, review));
	}),

	[`GET ${ONE}/reviews/{review_id}`]: inRepo(({ params }, place, repo) => {
		const found = repo.reviews.find((r) => String(r.id) === params.review_id);
		return found === undefined
			? notFound()
			: ok(renderReview(place, repo, found));
	}),
};

function thePull(
	repo: Repo,
	params: Readonly<Record<string, string>>,
): Issue | undefined {
	const issue = findIssue(repo, Number(params.pull_number));
	return issue?.pull === null ? undefined : issue;
}
