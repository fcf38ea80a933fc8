/** A fault as an HTTP answer. */
import type { Fault } from "./faults.ts";
import { type Reply, refuse } from "./http.ts";
import { toResponse } from "./wire.ts";

/** `real`: what would have been answered without the fault, for those that only spoil it. */
export function faultAnswer(
	fault: Fault,
	now: number,
	headers: Readonly<Record<string, string>>,
	real: () => Promise<Reply>,
): Promise<Response> | Response {
	switch (fault.kind) {
		case "primary":
			return toResponse({
				...refuse(
					fault.status ?? 403,
					"API rate limit exceeded for installation ID 1.",
				),
				headers: {
					...headers,
					"x-ratelimit-remaining": "0",
					"x-ratelimit-reset": String(fault.resetAt ?? now + 300),
				},
			});
		case "secondary":
			return toResponse({
				...refuse(
					403,
					"You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
				),
				headers:
					fault.retryAfter === undefined
						? headers
						: { ...headers, "retry-after": String(fault.retryAfter) },
			});
		case "abuse-page":
			return page(
				403,
				"<h1>Whoa there!</h1> You have triggered an abuse detection mechanism.",
				headers,
			);
		case "forbidden":
			return toResponse({
				...refuse(403, "Resource not accessible by integration"),
				headers,
			});
		case "unauthorized":
			return toResponse(refuse(401, "Bad credentials"));
		case "server":
			return page(fault.status ?? 502, "<h1>Unicorn!</h1>", {});
		case "graphql-errors":
			return toResponse({
				status: 200,
				body: { errors: fault.errors },
				headers,
			});
		case "graphql-partial":
			return real().then((reply) =>
				toResponse({ ...reply, body: withoutReactions(reply.body) }),
			);
		case "truncated":
			return real().then(async (reply) =>
				cut(await toResponse(reply).text(), "end"),
			);
		case "stalled-body":
			return real().then(async (reply) =>
				cut(await toResponse(reply).text(), "hang"),
			);
		case "no-answer":
			return new Promise(() => {});
		case "empty":
			return new Response(null, { status: 200 });
		case "foreign-links":
			return real().then((reply) => toResponse(elsewhere(reply, fault.origin)));
		case "redirect":
			return new Response(null, {
				status: fault.status ?? 302,
				headers: { location: fault.to },
			});
		case "answer":
			return toResponse({
				status: fault.status,
				body: fault.body,
				headers: { ...headers, ...fault.headers },
			});
	}
}

function page(
	status: number,
	html: string,
	headers: Readonly<Record<string, string>>,
): Response {
	return new Response(html, {
		status,
		headers: { ...headers, "content-type": "text/html" },
	});
}

function cut(text: string, then: "end" | "hang"): Response {
	const half = text.slice(0, Math.max(1, text.length >> 1));
	const headers = { "content-type": "application/json; charset=utf-8" };
	if (then === "end") return new Response(half, { headers });
	const body = new ReadableStream({
		start: (controller) => controller.enqueue(new TextEncoder().encode(half)),
	});
	return new Response(body, { headers });
}

function elsewhere(reply: Reply, origin: string): Reply {
	const link = (reply.headers?.link ?? "").replace(
		/https?:\/\/[^/>]+/g,
		origin,
	);
	return { ...reply, headers: { ...reply.headers, link } };
}

/** Nulls every `reactions` but the first, and says so in as many errors. */
function withoutReactions(body: unknown): unknown {
	const errors: unknown[] = [];
	let kept = 0;
	const visit = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(visit);
		if (typeof value !== "object" || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, inner]) => {
				if (key !== "reactions" || kept++ === 0) return [key, visit(inner)];
				errors.push({
					type: "RESOURCE_LIMITS_EXCEEDED",
					message: "Resource limits for this query exceeded.",
				});
				return [key, null];
			}),
		);
	};
	const data: unknown = Reflect.get(Object(body), "data");
	const spoiled = visit(data);
	if (errors.length === 0)
		errors.push({
			type: "RESOURCE_LIMITS_EXCEEDED",
			message: "Resource limits for this query exceeded.",
		});
	return { data: spoiled, errors };
}
