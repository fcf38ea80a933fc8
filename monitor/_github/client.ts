/**
 * The one importer of Octokit (contract 02 §2.2): clients for the App and for its installation. What
 * leaves this file is plain data and promises; nothing is written to the console.
 */
import { Octokit } from "@octokit/rest";
import type { AppKey } from "./app-key.ts";
import type { Transport } from "./transport.ts";

export interface RawAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly data: unknown;
}

export interface Requester {
	/** `route` is Octokit's: `GET /repos/{owner}/{repo}`. Rejects with Octokit's errors. */
	rest(
		route: string,
		params: Readonly<Record<string, unknown>>,
		signal: AbortSignal,
	): Promise<RawAnswer>;
	/** The `data` of the answer; a status and headers only an error has. */
	graphql(
		query: string,
		variables: Readonly<Record<string, unknown>>,
		signal: AbortSignal,
	): Promise<RawAnswer>;
}

export interface ClientOptions {
	readonly apiBase: string;
	readonly transport: Transport;
	/** Octokit's own warnings; for the log, at debug level. */
	readonly debug: (line: string) => void;
}

/** Signs every request as the App; an answer that blames the clock is asked once more with GitHub's time. */
export async function appRequester(
	options: ClientOptions,
	appId: string,
	key: AppKey,
): Promise<Requester> {
	// Most calls of an agent find a token in the cache and never act as the App.
	const { createAppAuth } = await import("@octokit/auth-app");
	return requesterOf(
		new Octokit({
			...settings(options),
			authStrategy: createAppAuth,
			auth: {
				appId,
				createJwt: (_: unknown, skewSeconds?: number) => key.jwt(skewSeconds),
			},
		}),
	);
}

/** For one token; when it has run out, a requester is made for the next. */
export function installationRequester(
	options: ClientOptions,
	token: string,
): Requester {
	return requesterOf(new Octokit({ ...settings(options), auth: token }));
}

const API_VERSION = "2022-11-28";

function settings({ apiBase, transport, debug }: ClientOptions) {
	const quiet = () => {};
	const log = { debug: quiet, info: quiet, warn: debug, error: debug };
	return {
		baseUrl: apiBase,
		userAgent: "nexus-watcher",
		request: { fetch: transport },
		log,
	};
}

function requesterOf(octokit: Octokit): Requester {
	octokit.hook.before("request", (options) => {
		options.headers["x-github-api-version"] = API_VERSION;
	});
	// A body that is the JSON text `null` would break Octokit's own reading of it.
	octokit.hook.after("request", (answer) => {
		answer.data ??= "";
	});
	return {
		rest: async (route, params, signal) => {
			const { status, headers, data } = await octokit.request(route, {
				...params,
				request: { signal },
			});
			return { status, headers: textsOf(headers), data };
		},
		graphql: async (query, variables, signal) => {
			const data: unknown = await octokit.graphql(query, {
				...variables,
				request: { signal },
			});
			return { status: 200, headers: {}, data };
		},
	};
}

function textsOf(
	headers: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
	return Object.fromEntries(
		Object.entries(headers).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, String(value)]],
		),
	);
}
