/** One request from its bytes to its answer: identity, fault, limits, description, route, description again. */
import { identify } from "./auth.ts";
import type { Budgets } from "./budget.ts";
import { replyMisfits, requestMisfits } from "./contract.ts";
import { faultAnswer } from "./fault-answers.ts";
import type { Faults } from "./faults.ts";
import { runGraphql } from "./graphql/run.ts";
import {
	type Actor,
	type ApiRequest,
	notFound,
	ok,
	type Reply,
	refuse,
} from "./http.ts";
import type { Place } from "./place.ts";
import { type Match, matchRoute } from "./router.ts";
import { conditionalReply, toResponse } from "./wire.ts";

/** A request as a test looks back at it. */
export interface Exchange {
	/** `GET /repos/{owner}/{repo}`; of something else the bare line. */
	readonly route: string;
	/** `GET /repos/acme/hub?page=2` */
	readonly line: string;
	readonly actor: Actor["kind"] | "nobody";
	readonly headers: Headers;
	readonly body: Readonly<Record<string, unknown>>;
	/** Of the answer; null while there is none. */
	status: number | null;
}

export interface Serving {
	readonly place: Place;
	readonly prefix: string;
	readonly faults: Faults;
	readonly budgets: Budgets;
	readonly requests: Exchange[];
	readonly problems: string[];
	readonly save: () => void;
}

const GRAPHQL = "POST /graphql";

export async function answerRequest(
	request: Request,
	serving: Serving,
): Promise<Response> {
	const url = new URL(request.url);
	const path = apiPath(url.pathname, serving.prefix);
	const raw = await request.text();
	const body = parseBody(raw);
	const isGraphql = `${request.method} ${path}` === GRAPHQL;
	const match = isGraphql ? null : matchRoute(request.method, path);
	const known = identify(serving.place, request.headers.get("authorization"));
	const line = `${request.method} ${path}${url.search}`;
	const route = isGraphql ? GRAPHQL : (match?.route ?? line);
	const exchange: Exchange = {
		route,
		line,
		actor: known.kind === "actor" ? known.actor.kind : "nobody",
		headers: request.headers,
		body,
		status: null,
	};
	serving.requests.push(exchange);
	const handle = async (): Promise<Reply> => {
		if (!request.headers.has("user-agent"))
			return refuse(403, "Request forbidden by administrative rules.");
		if (known.kind === "refused") return known.reply;
		const { actor } = known;
		if (isGraphql) {
			const reply = await graphql(serving, actor, body);
			serving.save();
			return reply;
		}
		const reply = await rest(serving, actor, match, { url, body, line });
		serving.save();
		if (request.method !== "GET") return reply;
		const asked = request.headers.get("if-none-match");
		const judged = conditionalReply(reply, asked);
		if (judged.status !== 304) return judged;
		// What has not changed is not counted.
		serving.budgets.spend(actor, "core", -1);
		const limits = serving.budgets.headers(actor, "core");
		return { ...judged, headers: { ...judged.headers, ...limits } };
	};
	const answer = await answerWith(serving, exchange, handle, known);
	exchange.status = answer.status;
	answer.headers.set(
		"date",
		new Date(serving.place.now() * 1000).toUTCString(),
	);
	return answer;
}

async function answerWith(
	{ faults, budgets, place, problems }: Serving,
	{ route, line, body }: Exchange,
	handle: () => Promise<Reply>,
	known: ReturnType<typeof identify>,
): Promise<Response> {
	const query = typeof body.query === "string" ? body.query : "";
	const row = faults.take(route, line, query);
	const headers =
		known.kind === "actor"
			? budgets.headers(known.actor, route === GRAPHQL ? "graphql" : "core")
			: {};
	try {
		if (row === null) return toResponse(await handle());
		if (row.executed) await handle();
		return await faultAnswer(row.fault, place.now(), headers, handle);
	} catch (error) {
		problems.push(`${line}: the stand-in broke: ${String(error)}`);
		return toResponse(refuse(500, String(error)));
	}
}

async function rest(
	serving: Serving,
	actor: Actor,
	match: Match | null,
	{
		url,
		body,
		line,
	}: Pick<ApiRequest, "url" | "body"> & { readonly line: string },
): Promise<Reply> {
	const { place, budgets, problems } = serving;
	if (line === "GET /rate_limit")
		return ok(budgets.overview(actor), budgets.headers(actor, "core"));
	if (match === null) {
		problems.push(`${line}: the stand-in has no such route`);
		return notFound();
	}
	const { route, params, handler } = match;
	const refused = budgets.spend(actor, "core");
	if (refused !== null) return refused;
	const request = { route, params, query: url.searchParams, body, actor, url };
	const misfits = requestMisfits(request);
	problems.push(...misfits.map((why) => `${line}: ${why}`));
	if (misfits.length > 0)
		return refuse(422, `Invalid request.\n\n${misfits.join("\n")}`);
	const reply = handler(request, place);
	for (const why of replyMisfits(route, reply))
		problems.push(`${line}: the answer's ${why}`);
	const headers = { ...budgets.headers(actor, "core"), ...reply.headers };
	return { ...reply, headers };
}

async function graphql(
	{ place, budgets, problems }: Serving,
	actor: Actor,
	body: ApiRequest["body"],
): Promise<Reply> {
	if (actor.kind === "app")
		return refuse(401, "A JSON web token is not accepted here");
	const headers = () => budgets.headers(actor, "graphql");
	if (budgets.spend(actor, "graphql") !== null) {
		const message = "API rate limit exceeded for installation ID 1.";
		const errors = [{ type: "RATE_LIMITED", message }];
		return { status: 200, body: { errors }, headers: headers() };
	}
	const { misfits, ...reply } = await runGraphql(place, actor, body);
	problems.push(...misfits.map((why) => `GraphQL: ${why}`));
	return { ...reply, headers: headers() };
}

/** GraphQL of an Enterprise Server stands beside its REST, not below it. */
function apiPath(path: string, prefix: string): string {
	if (prefix !== "" && path === "/api/graphql") return "/graphql";
	return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

function parseBody(raw: string): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(raw);
		return typeof value === "object" && value !== null
			? Object.fromEntries(Object.entries(value))
			: {};
	} catch {
		return {};
	}
}
