/** Rate limits: what is left of each bucket, in every answer, and a refusal when nothing is. */
import { type Actor, type Reply, refuse } from "./http.ts";
import type { Place } from "./place.ts";

export interface Budgets {
	/** Takes `cost` from the asker's bucket; a refusal when it is empty. Null: go on. */
	spend(actor: Actor, resource: Resource, cost?: number): Reply | null;
	headers(actor: Actor, resource: Resource): Record<string, string>;
	/** `GET /rate_limit`. */
	overview(actor: Actor): unknown;
	/** So many are left from now on, for whoever asks. */
	leave(resource: Resource, remaining: number, resetAt?: number): void;
}
export type Resource = "core" | "graphql" | "search";

interface Window {
	limit: number;
	used: number;
	/** Epoch seconds. */
	reset: number;
}

const LIMITS: Readonly<Record<Resource, number>> = {
	core: 5000,
	graphql: 5000,
	search: 30,
};
const WINDOW_SECONDS = 3600;

export function budgetsOf(place: Pick<Place, "now">): Budgets {
	const windows = new Map<string, Window>();
	const forced = new Map<Resource, { remaining: number; resetAt?: number }>();

	function windowOf(actor: Actor, resource: Resource): Window {
		const who = actor.kind === "user" ? actor.login : actor.kind;
		const key = `${who} ${resource}`;
		const now = place.now();
		const known = windows.get(key);
		if (known !== undefined && known.reset > now) return known;
		const set = forced.get(resource);
		forced.delete(resource);
		const limit = LIMITS[resource];
		const fresh: Window = {
			limit,
			used: set === undefined ? 0 : limit - set.remaining,
			reset: set?.resetAt ?? now + WINDOW_SECONDS,
		};
		windows.set(key, fresh);
		return fresh;
	}

	function headers(actor: Actor, resource: Resource) {
		const { limit, used, reset } = windowOf(actor, resource);
		return {
			"x-ratelimit-limit": String(limit),
			"x-ratelimit-remaining": String(limit - used),
			"x-ratelimit-used": String(used),
			"x-ratelimit-reset": String(reset),
			"x-ratelimit-resource": resource,
		};
	}

	return {
		headers,
		spend: (actor, resource, cost = 1) => {
			const window = windowOf(actor, resource);
			if (window.used + cost > window.limit)
				return {
					...refuse(403, `API rate limit exceeded for ${actor.kind} ID 1.`),
					headers: headers(actor, resource),
				};
			window.used += cost;
			return null;
		},
		overview: (actor) => {
			const of = (resource: Resource) => {
				const { limit, used, reset } = windowOf(actor, resource);
				return { limit, used, remaining: limit - used, reset };
			};
			const resources = {
				core: of("core"),
				graphql: of("graphql"),
				search: of("search"),
			};
			return { resources, rate: resources.core };
		},
		leave: (resource, remaining, resetAt) => {
			for (const key of windows.keys())
				if (key.endsWith(` ${resource}`)) windows.delete(key);
			forced.set(
				resource,
				resetAt === undefined ? { remaining } : { remaining, resetAt },
			);
		},
	};
}
