/** Repositories, issues and the comments on them. */
import { comment, openIssue, setIssueState } from "../acts.ts";
import {
	created,
	type Handler,
	invalid,
	listReply,
	NO_CONTENT,
	notFound,
	ok,
	text,
} from "../http.ts";
import { renderComment, renderIssue } from "../render/issue.ts";
import { renderRepo } from "../render/repository.ts";
import { findIssue, type Issue, type Repo, same } from "../world.ts";
import { inRepo } from "./in-repo.ts";

/** Above this many bytes GitHub answers 200, echoes the text, and keeps the old one. */
const LARGEST_BODY = 262_144;

export const issueRoutes: Readonly<Record<string, Handler>> = {
	"GET /repos/{owner}/{repo}": inRepo((_request, place, repo) =>
		ok({ ...renderRepo(place, repo), network_count: 0, subscribers_count: 0 }),
	),

	"GET /repos/{owner}/{repo}/issues": inRepo((request, place, repo) => {
		const { query } = request;
		const state = query.get("state") ?? "open";
		const labels = (query.get("labels") ?? "").split(",").filter(Boolean);
		const creator = query.get("creator");
		const found = repo.issues.filter(
			(issue) =>
				(state === "all" || issue.state === state) &&
				labels.every((label) => issue.labels.some((l) => same(l, label))) &&
				(creator === null || same(issue.user, creator)),
		);
		const order = query.get("direction") === "asc" ? found : found.toReversed();
		return listReply(request, order, (i) => renderIssue(place, repo, i));
	}),

	"POST /repos/{owner}/{repo}/issues": inRepo(({ body }, place, repo, who) => {
		const title = text(body, "title");
		if (title === "") return invalid("Issue", "title", "missing_field");
		const labels = labelNames(body.labels);
		if (labels.includes("")) return invalid("Label", "name", "missing_field");
		const given = { user: who, title, body: text(body, "body"), labels };
		const issue = openIssue(place, repo.fullName, given);
		return created(renderIssue(place, repo, issue));
	}),

	"GET /repos/{owner}/{repo}/issues/{issue_number}": inRepo(
		({ params }, place, repo) => {
			const issue = findIssue(repo, Number(params.issue_number));
			return issue === undefined
				? notFound()
				: ok(renderIssue(place, repo, issue));
		},
	),

	"PATCH /repos/{owner}/{repo}/issues/{issue_number}": inRepo(
		({ params, body }, place, repo) => {
			const issue = findIssue(repo, Number(params.issue_number));
			if (issue === undefined) return notFound();
			const echoed = renderIssue(place, repo, { ...issue, ...textsIn(body) });
			if (Buffer.byteLength(text(body, "body")) > LARGEST_BODY)
				return ok(echoed);
			Object.assign(issue, textsIn(body), { updatedAt: place.now() });
			if (Array.isArray(body.labels)) issue.labels = labelNames(body.labels);
			const { state } = body;
			if (state === "open" || state === "closed")
				setIssueState(place, issue, state);
			return ok(renderIssue(place, repo, issue));
		},
	),

	"GET /repos/{owner}/{repo}/issues/{issue_number}/comments": inRepo(
		(request, place, repo) => {
			const issue = findIssue(repo, Number(request.params.issue_number));
			if (issue === undefined) return notFound();
			const since = Date.parse(request.query.get("since") ?? "") / 1000;
			const found = repo.comments.filter(
				(c) =>
					c.issue === issue.number &&
					(Number.isNaN(since) || c.updatedAt >= since),
			);
			return listReply(request, found, (c) => renderComment(place, repo, c));
		},
	),

	"POST /repos/{owner}/{repo}/issues/{issue_number}/comments": inRepo(
		({ params, body }, place, repo, who) => {
			const number = Number(params.issue_number);
			if (findIssue(repo, number) === undefined) return notFound();
			const given = text(body, "body");
			if (given.trim() === "")
				return invalid("IssueComment", "body", "missing_field");
			if (given.length > 65_536)
				return invalid(
					"IssueComment",
					"body",
					"custom",
					"body is too long (maximum is 65536 characters)",
				);
			const made = comment(place, repo.fullName, number, who, given);
			return created(renderComment(place, repo, made));
		},
	),

	"GET /repos/{owner}/{repo}/issues/comments/{comment_id}": inRepo(
		({ params }, place, repo) => {
			const found = commentOf(repo, params.comment_id);
			return found === undefined
				? notFound()
				: ok(renderComment(place, repo, found));
		},
	),

	"PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}": inRepo(
		({ params, body }, place, repo) => {
			const found = commentOf(repo, params.comment_id);
			if (found === undefined) return notFound();
			found.body = text(body, "body");
			// Two edits within one second still differ: it is what compare-and-swap stands on.
			found.updatedAt = Math.max(place.now(), found.updatedAt + 1);
			return ok(renderComment(place, repo, found));
		},
	),

	"DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}": inRepo(
		({ params }, _place, repo) => {
			const found = commentOf(repo, params.comment_id);
			if (found === undefined) return notFound();
			repo.comments = repo.comments.filter((c) => c !== found);
			return NO_CONTENT;
		},
	),
};

function commentOf(repo: Repo, id: string | undefined) {
	return repo.comments.find((c) => String(c.id) === id);
}

function textsIn(
	body: Readonly<Record<string, unknown>>,
): Partial<Pick<Issue, "title" | "body">> {
	return {
		...(typeof body.title === "string" ? { title: body.title } : {}),
		...(typeof body.body === "string" ? { body: body.body } : {}),
	};
}

function labelNames(given: unknown): string[] {
	if (!Array.isArray(given)) return [];
	return given.map((label: unknown) =>
		typeof label === "object" && label !== null
			? String(Reflect.get(label, "name") ?? "")
			: String(label),
	);
}
