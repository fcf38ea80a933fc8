/** Who one is: the App with its tokens, its delivery log and what it is installed on; or a person. */
import { randomBytes } from "node:crypto";
import { TOKEN_SECONDS } from "../auth.ts";
import { redeliver } from "../events.ts";
import {
	type Handler,
	notFound,
	ok,
	pageOf,
	type Reply,
	refuse,
} from "../http.ts";
import { iso } from "../place.ts";
import {
	renderApp,
	renderDelivery,
	renderInstallation,
} from "../render/app.ts";
import { renderSelf } from "../render/person.ts";
import { renderRepo } from "../render/repository.ts";
import { type Delivery, findRepo } from "../world.ts";

export const appRoutes: Readonly<Record<string, Handler>> = {
	"GET /app": ({ actor }, place) =>
		actor.kind === "app" ? ok(renderApp(place)) : jwtOnly(),

	"GET /app/installations/{installation_id}": ({ params, actor }, place) => {
		if (actor.kind !== "app") return jwtOnly();
		const found = place.state.app.installations.find(
			(i) => String(i.id) === params.installation_id,
		);
		return found === undefined
			? notFound()
			: ok(renderInstallation(place, found));
	},

	"POST /app/installations/{installation_id}/access_tokens": (
		{ params, actor },
		place,
	) => {
		if (actor.kind !== "app") return jwtOnly();
		const id = Number(params.installation_id);
		const { state } = place;
		if (!state.app.installations.some((i) => i.id === id)) return notFound();
		const expiresAt = place.now() + TOKEN_SECONDS;
		const token = `ghs_${randomBytes(18).toString("hex")}`;
		state.installationTokens.push({ token, installation: id, expiresAt });
		return {
			status: 201,
			body: {
				token,
				expires_at: iso(expiresAt),
				permissions: state.app.permissions,
				repository_selection: "selected",
			},
		};
	},

	"GET /app/hook/deliveries": (request, place) => {
		if (request.actor.kind !== "app") return jwtOnly();
		const { app, deliveries } = place.state;
		if (!app.hasWebhook) return notFound();
		const size = Math.min(100, Number(request.query.get("per_page") ?? 30));
		const newestFirst = [...deliveries].reverse();
		const cursor = request.query.get("cursor");
		const start = cursor === null ? 0 : after(newestFirst, cursor);
		if (start === null) return refuse(422, "Invalid cursor");
		const rows = newestFirst.slice(start, start + size);
		const last = rows.at(-1);
		const more = start + size < newestFirst.length && last !== undefined;
		const next = new URL(request.url);
		if (more) next.searchParams.set("cursor", `v1_${last.id}`);
		return ok(
			rows.map((row) => renderDelivery(place, row)),
			more ? { link: `<${next.href}>; rel="next"` } : {},
		);
	},

	"GET /app/hook/deliveries/{delivery_id}": ({ params, actor }, place) => {
		if (actor.kind !== "app") return jwtOnly();
		const { deliveries } = place.state;
		const row = deliveries.find((d) => d.id === params.delivery_id);
		if (row === undefined) return notFound();
		return ok({
			...renderDelivery(place, row),
			url: "https://hook.example/",
			request: {
				headers: {
					"X-GitHub-Delivery": row.guid,
					"X-GitHub-Event": row.event,
					"content-type": "application/json",
				},
				payload: row.payload,
			},
			response: { headers: {}, payload: "" },
		});
	},

	"POST /app/hook/deliveries/{delivery_id}/attempts": (
		{ params, actor },
		place,
	) => {
		if (actor.kind !== "app") return jwtOnly();
		const again = redeliver(place, params.delivery_id ?? "");
		return again === null ? notFound() : { status: 202, body: {} };
	},

	"GET /user": ({ actor }, place) =>
		actor.kind === "user" ? ok(renderSelf(place, actor.login)) : forbidden(),

	"GET /installation/repositories": (request, place) => {
		const { actor } = request;
		if (actor.kind !== "installation") return forbidden();
		const repos = actor.repos.flatMap(
			(name) => findRepo(place.state, name) ?? [],
		);
		const page = pageOf(request, repos, (repo) => renderRepo(place, repo));
		return ok(
			{
				total_count: repos.length,
				repository_selection: "selected",
				repositories: page.items,
			},
			page.headers,
		);
	},
};

export function forbidden(): Reply {
	return refuse(403, "Resource not accessible by integration");
}

function jwtOnly(): Reply {
	return refuse(
		401,
		"A JSON web token could not be decoded: this endpoint wants the App's own",
	);
}

/** Index of the row behind the one that a cursor names; null: no such row. */
function after(rows: readonly Delivery[], cursor: string): number | null {
	const at = rows.findIndex((row) => cursor === `v1_${row.id}`);
	return at < 0 ? null : at + 1;
}
