/** Reactions to issues, comments and review comments: one behaviour under three addresses. */
import { react } from "../acts.ts";
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
import { renderReaction } from "../render/issue.ts";
import {
	findIssue,
	REACTIONS,
	type ReactionContent,
	type Repo,
	type Written,
} from "../world.ts";
import { inRepo } from "./in-repo.ts";

type Find = (
	repo: Repo,
	params: Readonly<Record<string, string>>,
) => Written | undefined;

export const reactionRoutes: Readonly<Record<string, Handler>> = {
	...routesAt("/repos/{owner}/{repo}/issues/{issue_number}", (repo, params) =>
		findIssue(repo, Number(params.issue_number)),
	),
	...routesAt(
		"/repos/{owner}/{repo}/issues/comments/{comment_id}",
		(repo, params) =>
			repo.comments.find((c) => String(c.id) === params.comment_id),
	),
	...routesAt(
		"/repos/{owner}/{repo}/pulls/comments/{comment_id}",
		(repo, params) =>
			repo.reviewComments.find((c) => String(c.id) === params.comment_id),
	),
};

function routesAt(path: string, find: Find): Record<string, Handler> {
	return {
		[`GET ${path}/reactions`]: inRepo((request, place, repo) => {
			const on = find(repo, request.params);
			if (on === undefined) return notFound();
			const wanted = request.query.get("content");
			const found = on.reactions.filter(
				(r) => wanted === null || r.content === wanted,
			);
			return listReply(request, found, (r) => renderReaction(place, r));
		}),

		[`POST ${path}/reactions`]: inRepo(({ params, body }, place, repo, who) => {
			const on = find(repo, params);
			if (on === undefined) return notFound();
			const content = text(body, "content");
			if (!isContent(content)) return invalid("Reaction", "content");
			const { reaction, isNew } = react(place, on, who, content);
			const rendered = renderReaction(place, reaction);
			return isNew ? created(rendered) : ok(rendered);
		}),

		[`DELETE ${path}/reactions/{reaction_id}`]: inRepo(
			({ params }, _place, repo) => {
				const on = find(repo, params);
				const gone = on?.reactions.find(
					(r) => String(r.id) === params.reaction_id,
				);
				if (on === undefined || gone === undefined) return notFound();
				on.reactions = on.reactions.filter((r) => r !== gone);
				return NO_CONTENT;
			},
		),
	};
}

function isContent(word: string): word is ReactionContent {
	return (REACTIONS as readonly string[]).includes(word);
}
