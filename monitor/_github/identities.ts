/** The two whom we are at GitHub, the App and its installation, and how a call is made as each (contract 02 §2.2, §3). */
import type { PauseBucket } from "../_state/github-pause.ts";
import type { Doors } from "../_sys/doors.ts";
import type { GitHubApp } from "./app.ts";
import { type KeyProblem, openAppKey } from "./app-key.ts";
import type { ClientOptions, Requester } from "./client.ts";
import { failure } from "./errors.ts";
import {
	type Answer,
	type Call,
	type SendDoors,
	type Sending,
	send,
} from "./send.ts";
import {
	readMinted,
	type TokenProvider,
	tokenProblemText,
	tokenProvider,
} from "./token.ts";

interface IdentityParts {
	readonly doors: Pick<Doors, "clock" | "files" | "locks" | "log">;
	readonly app: GitHubApp;
	readonly options: ClientOptions;
	readonly via: SendDoors;
}

/** What is asked of a client of the installation, and which limits hold it or come of it. */
interface AsInstallation {
	readonly ask: (
		requester: Requester,
		signal: AbortSignal,
	) => ReturnType<Requester["rest"]>;
	/** Null: no pause holds it back. */
	readonly heldBy: PauseBucket | null;
	readonly arms: (limit: string) => PauseBucket | null;
}

export interface Identities {
	readonly tokens: TokenProvider;
	asApp<T>(
		route: string,
		params: Readonly<Record<string, unknown>>,
		call: Call<T>,
	): Promise<Answer<T>>;
	/** A 401 is asked once more with a new token. */
	asInstallation<T>(call: Call<T>, how: AsInstallation): Promise<Answer<T>>;
}

/** Octokit is loaded, the key read and a token fetched when the first call needs them. `forget`: an answer was not to be read. */
export function identitiesOf(
	{ doors, app, options, via }: IdentityParts,
	forget: () => void,
): Identities {
	/** What nobody could read must not be believed again because it has not changed. */
	async function sendAndLearn<T>(what: Sending<T>): Promise<Answer<T>> {
		const answer = await send(via, what);
		if (answer.kind === "failed" && answer.failure.kind === "malformed")
			forget();
		return answer;
	}

	async function withKey<T>(
		route: string,
		params: Readonly<Record<string, unknown>>,
		call: Call<T>,
	): Promise<Answer<T> | KeyProblem> {
		const key = await openAppKey(doors, app.appId, app.keyPath);
		if (key.kind !== "ok") return key;
		const { appRequester } = await import("./client.ts");
		const requester = await appRequester(options, app.appId, key);
		return sendAndLearn({
			...call,
			ask: (signal) => requester.rest(route, params, signal),
			heldBy: "app",
			arms: () => "app",
			secrets: [],
		});
	}

	const tokens = tokenProvider({
		doors,
		app,
		mint: (deadlineMs) =>
			withKey(
				"POST /app/installations/{installation_id}/access_tokens",
				{ installation_id: app.installationId },
				{ deadlineMs, read: readMinted },
			),
		warn: (line) => doors.log.warn(line),
	});

	/** A token lasts an hour, and a client costs more than a request. */
	let lately: { readonly token: string; readonly requester: Requester } | null =
		null;

	async function asInstallation<T>(
		call: Call<T>,
		how: AsInstallation,
	): Promise<Answer<T>> {
		// Loads while the token is fetched.
		const loading = import("./client.ts");
		let refused = false;
		for (;;) {
			const got = await tokens.installationToken(call.signal);
			if (got.kind !== "ok") return withoutToken(got);
			const { installationRequester } = await loading;
			if (lately?.token !== got.token) {
				const made = installationRequester(options, got.token);
				lately = { token: got.token, requester: made };
			}
			const { requester } = lately;
			const answer = await sendAndLearn({
				...call,
				ask: (signal) => how.ask(requester, signal),
				heldBy: how.heldBy,
				arms: how.arms,
				secrets: [got.token],
			});
			if (refused || !isRefusal(answer)) return answer;
			refused = true;
			tokens.invalidate(got.token);
		}
	}

	return {
		tokens,
		asApp: async (route, params, call) =>
			answerOf(await withKey(route, params, call)),
		asInstallation,
	};
}

function answerOf<T>(answer: Answer<T> | KeyProblem): Answer<T> {
	return answer.kind === "ok" || answer.kind === "failed"
		? answer
		: withoutToken(answer);
}

function isRefusal(answer: Answer<unknown>): boolean {
	return answer.kind === "failed" && answer.failure.kind === "auth";
}

function withoutToken(
	problem: Parameters<typeof tokenProblemText>[0],
): Extract<Answer<never>, { kind: "failed" }> {
	const message = tokenProblemText(problem);
	return {
		kind: "failed",
		failure: failure("no_token", { message, sent: false }),
	};
}
