/** Requests and answers inside the stand-in: what a route gets, and what it gives. */
import type { Place } from "./place.ts";
import type { Repo } from "./world.ts";

/** Who asks. */
export type Actor =
	| { readonly kind: "app" }
	| {
			readonly kind: "installation";
			readonly id: number;
			readonly login: string;
			/** Full names of the repositories that the token opens. */
			readonly repos: readonly string[];
	  }
	| { readonly kind: "user"; readonly login: string };

export interface ApiRequest {
	/** `GET /repos/{owner}/{repo}` */
	readonly route: string;
	readonly params: Readonly<Record<string, string>>;
	readonly query: URLSearchParams;
	/** The JSON body; empty without one. */
	readonly body: Readonly<Record<string, unknown>>;
	readonly actor: Actor;
	/** The request's own address, for `Link` headers. */
	readonly url: URL;
}

export interface Reply {
	readonly status: number;
	/** Undefined: no body. A bigint is written with all its digits. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (request: ApiRequest, place: Place) => Reply;
/** What most routes need first: the repository, as far as the asker can see it. */
export type RepoHandler = (
	request: ApiRequest,
	place: Place,
	repo: Repo,
	/** The login that acts. */
	who: string,
) => Reply;

const DOCS = "https://docs.github.com/rest";

export function ok(body: unknown, headers: Reply["headers"] = {}): Reply {
	return { status: 200, body, headers };
}

export function created(body: unknown): Reply {
	return { status: 201, body };
}

export const NO_CONTENT: Reply = { status: 204 };

export function refuse(
	status: number,
	message: string,
	more: Readonly<Record<string, unknown>> = {},
): Reply {
	return {
		status,
		body: { message, ...more, documentation_url: DOCS, status: String(status) },
	};
}

export function notFound(): Reply {
	return refuse(404, "Not Found");
}

export function invalid(
	resource: string,
	field: string,
	code = "invalid",
	message?: string,
): Reply {
	const error = { resource, field, code, ...(message ? { message } : {}) };
	return refuse(422, message ?? "Validation Failed", { errors: [error] });
}

/** A text of the body; empty when it is not there. */
export function text(body: ApiRequest["body"], key: string): string {
	const value = body[key];
	return typeof value === "string" ? value : "";
}

/** One page of `items`, with the `Link` header that leads on. */
export function pageOf<T>(
	request: ApiRequest,
	items: readonly T[],
	render: (item: T) => unknown,
): {
	readonly items: readonly unknown[];
	readonly headers: Record<string, string>;
} {
	const size = Math.min(
		100,
		Math.max(1, Number(request.query.get("per_page") ?? 30)),
	);
	const page = Math.max(1, Number(request.query.get("page") ?? 1));
	const last = Math.max(1, Math.ceil(items.length / size));
	const link = (to: number, rel: string) => {
		const url = new URL(request.url);
		url.searchParams.set("page", String(to));
		return `<${url.href}>; rel="${rel}"`;
	};
	const links = [
		...(page > 1 ? [link(page - 1, "prev"), link(1, "first")] : []),
		...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
	];
	return {
		items: items.slice((page - 1) * size, page * size).map(render),
		headers: links.length === 0 ? {} : { link: links.join(", ") },
	};
}

export function listReply<T>(
	request: ApiRequest,
	items: readonly T[],
	render: (item: T) => unknown,
): Reply {
	const page = pageOf(request, items, render);
	return ok(page.items, page.headers);
}
