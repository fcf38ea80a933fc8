/** Routes below a repository: seen only by whoever may see it, changed only by whoever may write. */
import { mayWrite, visibleRepo } from "../auth.ts";
import { type Handler, notFound, type RepoHandler, refuse } from "../http.ts";
import { botLogin } from "../world.ts";

/** A private repository that the asker cannot see is one that is not there. */
export function inRepo(handler: RepoHandler): Handler {
	return (request, place) => {
		const { params, actor, route } = request;
		if (actor.kind === "app")
			return refuse(401, "A JSON web token is not accepted here");
		const fullName = `${params.owner}/${params.repo}`;
		const repo = visibleRepo(place, actor, fullName);
		if (repo === undefined) return notFound();
		if (!route.startsWith("GET ") && !mayWrite(actor, repo.fullName))
			return refuse(403, "Resource not accessible by integration");
		const who = actor.kind === "user" ? actor.login : botLogin(place.state);
		return handler(request, place, repo, who);
	};
}
