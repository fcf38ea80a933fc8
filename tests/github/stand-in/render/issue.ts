/** `issue`, `issue-comment`, `reaction`, `label`. */
import { iso, type Place } from "../place.ts";
import {
	type Comment,
	type Issue,
	REACTIONS,
	type Reaction,
	type Repo,
	same,
} from "../world.ts";
import { nodeId, renderPerson } from "./person.ts";

export function renderIssue(place: Place, repo: Repo, issue: Issue) {
	const url = `${repoUrl(place, repo)}/issues/${issue.number}`;
	const page = issuePage(place, repo, issue);
	return {
		url,
		repository_url: repoUrl(place, repo),
		labels_url: `${url}/labels{/name}`,
		comments_url: `${url}/comments`,
		events_url: `${url}/events`,
		html_url: page,
		id: issue.id,
		node_id: nodeId("I", issue.id),
		number: issue.number,
		title: issue.title,
		user: renderPerson(place, issue.user),
		labels: issue.labels.map((name) => renderLabel(place, repo, name)),
		state: issue.state,
		state_reason: issue.state === "closed" ? "completed" : null,
		locked: false,
		assignee: null,
		assignees: [],
		milestone: null,
		comments: repo.comments.filter((c) => c.issue === issue.number).length,
		created_at: iso(issue.createdAt),
		updated_at: iso(issue.updatedAt),
		closed_at: issue.closedAt === null ? null : iso(issue.closedAt),
		author_association: association(repo, issue.user),
		active_lock_reason: null,
		body: issue.body === "" ? null : issue.body,
		closed_by: null,
		performed_via_github_app: null,
		reactions: reactionSummary(url, issue.reactions),
		timeline_url: `${url}/timeline`,
		...(issue.pull === null
			? {}
			: {
					draft: false,
					pull_request: {
						url: `${repoUrl(place, repo)}/pulls/${issue.number}`,
						html_url: page,
						diff_url: `${page}.diff`,
						patch_url: `${page}.patch`,
						merged_at:
							issue.pull.mergedAt === null ? null : iso(issue.pull.mergedAt),
					},
				}),
	};
}

export function renderComment(place: Place, repo: Repo, comment: Comment) {
	const url = `${repoUrl(place, repo)}/issues/comments/${comment.id}`;
	const issue = repo.issues.find((i) => i.number === comment.issue);
	return {
		url,
		html_url: `${issue === undefined ? repoUrl(place, repo) : issuePage(place, repo, issue)}#issuecomment-${comment.id}`,
		issue_url: `${repoUrl(place, repo)}/issues/${comment.issue}`,
		id: comment.id,
		node_id: nodeId("IC", comment.id),
		user: renderPerson(place, comment.user),
		created_at: iso(comment.createdAt),
		updated_at: iso(comment.updatedAt),
		author_association: association(repo, comment.user),
		body: comment.body,
		reactions: reactionSummary(url, comment.reactions),
		performed_via_github_app: null,
	};
}

export function renderReaction(place: Place, reaction: Reaction) {
	return {
		id: reaction.id,
		node_id: nodeId("REA", reaction.id),
		user: reaction.user === null ? null : renderPerson(place, reaction.user),
		content: reaction.content,
		created_at: iso(reaction.at),
	};
}

export function renderLabel(place: Place, repo: Repo, name: string) {
	return {
		id: Bun.hash.crc32(name),
		node_id: nodeId("LA", name),
		url: `${repoUrl(place, repo)}/labels/${encodeURIComponent(name)}`,
		name,
		description: null,
		color: "ededed",
		default: false,
	};
}

export function reactionSummary(url: string, reactions: readonly Reaction[]) {
	const count = (content: string) =>
		reactions.filter((r) => r.content === content).length;
	return {
		url: `${url}/reactions`,
		total_count: reactions.length,
		...Object.fromEntries(
			REACTIONS.map((content) => [content, count(content)]),
		),
	};
}

export function association(repo: Repo, login: string): string {
	const [owner = ""] = repo.fullName.split("/");
	return same(owner, login) ? "OWNER" : "NONE";
}

export function issuePage(place: Place, repo: Repo, issue: Issue): string {
	const kind = issue.pull === null ? "issues" : "pull";
	return `${place.webBase}/${repo.fullName}/${kind}/${issue.number}`;
}

export function repoUrl({ apiBase }: Place, repo: Repo): string {
	return `${apiBase}/repos/${repo.fullName}`;
}
