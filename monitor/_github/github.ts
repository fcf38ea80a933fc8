/**
 * The door to GitHub: what duties are given. As the App's installation (REST and GraphQL) or as the App
 * itself; a call that failed says by which class, and no call outlives its deadline (contract 02 §2).
 */
import type { Endpoints } from "@octokit/types";
import type { Doors } from "../_sys/doors.ts";
import type { GitHubApp } from "./app.ts";
import type { ClientOptions } from "./client.ts";
import { type AnswerMemory, conditional } from "./conditional.ts";
import { identitiesOf } from "./identities.ts";
import { askAgain, type Pacing } from "./pacing.ts";
import { pausesOf } from "./pause.ts";
import type { Answer, Call, SendDoors } from "./send.ts";
import type { TokenProvider } from "./token.ts";
import { transportTo } from "./transport.ts";
import { oneLine } from "./words.ts";
import { awaitWriteTurn } from "./write-pace.ts";

/** A route as GitHub's description names it: `GET /repos/{owner}/{repo}/issues/{issue_number}`. */
export type Route = keyof Endpoints;
export type Params<R extends Route> = Endpoints[R]["parameters"];

/** What any call of this door may say besides `deadlineMs` and `read`. */
export interface RestCall<T> extends Call<T> {
	/** Costs nothing and is not held back by a pause (`GET /rate_limit`). */
	readonly free?: boolean;
}

export interface GitHub {
	/** REST as the installation. A 401 is asked once more with a new token. */
	rest<R extends Route, T>(
		route: R,
		params: Params<R>,
		call: RestCall<T>,
	): Promise<Answer<T>>;
	/** REST as the installation: GET of a path below the API's base, as it stands. */
	get<T>(path: string, call: RestCall<T>): Promise<Answer<T>>;
	/** GraphQL as the installation. `read` gets the answer's `data`. */
	graphql<T>(
		query: string,
		variables: Readonly<Record<string, unknown>>,
		call: Call<T>,
	): Promise<Answer<T>>;
	/** REST as the App. */
	app<R extends Route, T>(
		route: R,
		params: Params<R>,
		call: Call<T>,
	): Promise<Answer<T>>;
	/** REST as the App: GET of a path below the API's base. For ids that no number holds. */
	appGet<T>(path: string, call: Call<T>): Promise<Answer<T>>;
	readonly tokens: TokenProvider;
	readonly place: GitHubApp["place"];
}

export interface GitHubFrom {
	readonly doors: Pick<Doors, "clock" | "files" | "locks" | "log" | "net">;
	readonly app: GitHubApp;
	readonly stateDir: string;
	/** Default: `scheduler`. */
	readonly pacing?: Pacing;
	/**
	 * A pause that ends within so many seconds is waited out, after `say` got a line. Default: none is,
	 * the call fails at once.
	 */
	readonly waitOut?: {
		readonly seconds: number;
		readonly say: (line: string) => void;
	};
	/** What was asked before is asked for only if it has changed. Default: nothing is remembered. */
	readonly remember?: AnswerMemory;
	/** Octokit's own warnings. Default: dropped, since whoever asked is told of every failure. */
	readonly debug?: (line: string) => void;
}

const MAX_DEBUG = 500;

/** Cheap: Octokit is loaded, the key read and a token fetched when the first call needs them. */
export function openGitHub(from: GitHubFrom): GitHub {
	const { doors, app, stateDir } = from;
	const direct = transportTo(doors.net, app.place.apiBase);
	const options: ClientOptions = {
		apiBase: app.place.apiBase,
		transport: from.remember ? conditional(direct, from.remember) : direct,
		debug: (line) => from.debug?.(oneLine(line, MAX_DEBUG)),
	};
	const via: SendDoors = {
		clock: doors.clock,
		pauses: pausesOf(doors, stateDir),
		waitOut: waitOutBy(from),
	};

	const { tokens, asApp, asInstallation } = identitiesOf(
		{ doors, app, options, via },
		() => from.remember?.clear(),
	);

	const rest = async <T>(
		route: string,
		params: Readonly<Record<string, unknown>>,
		call: RestCall<T>,
	) => {
		const ask = () =>
			asInstallation(call, {
				ask: (requester, signal) => requester.rest(route, params, signal),
				heldBy: call.free ? null : "core",
				arms: () => "core",
			});
		if (from.pacing?.kind !== "command") return ask();
		if (route.startsWith("GET "))
			return askAgain(doors.clock, ask, from.pacing.retryMs, call.signal);
		await awaitWriteTurn(doors, stateDir, call.signal);
		return ask();
	};

	return {
		tokens,
		place: app.place,
		rest,
		// Braces would make it a template.
		get: (path, call) =>
			rest(
				`GET /${path.replace(/^\/+/, "").replace(/[{}]/g, encodeURIComponent)}`,
				{},
				call,
			),
		graphql: (query, variables, call) =>
			asInstallation(call, {
				ask: (requester, signal) => requester.graphql(query, variables, signal),
				// GraphQL's primary limit is kept per surface, by whoever asks; a secondary one is everybody's.
				heldBy: null,
				arms: (limit) => (limit === "rate_secondary" ? "core" : null),
			}),
		app: asApp,
		appGet: (path, call) => asApp(`GET /${path.replace(/^\/+/, "")}`, {}, call),
	};
}

function waitOutBy({ doors, waitOut }: GitHubFrom): SendDoors["waitOut"] {
	const { clock } = doors;
	return async (bucket, until, signal) => {
		const seconds = until - clock.now();
		if (waitOut === undefined || seconds > waitOut.seconds) return false;
		waitOut.say(
			`GitHub asked for a pause (${bucket}): waiting ${Math.max(0, seconds)}s`,
		);
		return (await clock.sleep(seconds * 1000, signal)) === "slept";
	};
}
