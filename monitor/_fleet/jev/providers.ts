/** Who classifies: TypeSafe, and OpenRouter behind it (contract 09 §13). */
import { parseJson, textAt, valueAt } from "../../_state/json-object.ts";
import { boundedText } from "../../_sys/bounded-json.ts";
import { withDeadline } from "../../_sys/deadline.ts";
import type { Doors } from "../../_sys/doors.ts";
import { isLoopback } from "../../_sys/loopback.ts";
import type { JevKeys } from "./keys.ts";
import { mockedAnswer } from "./mocks.ts";
import { QUESTION, requestBody } from "./question.ts";
import type { Answer } from "./route.ts";
import type { PaneState } from "./state.ts";

export type ProviderName = "typesafe" | "openrouter";
export type ErrorCategory =
	| "api_error"
	| "retryable_error"
	| "auth_error"
	| "schema_error"
	| "missing_key";
export type ProviderResult =
	| {
			readonly kind: "answer";
			readonly provider: ProviderName;
			readonly answer: Answer;
	  }
	| {
			readonly kind: "error";
			readonly category: ErrorCategory;
			readonly detail: string;
	  };
export interface Asking {
	readonly doors: Pick<Doors, "net" | "clock" | "proc">;
	readonly keys: JevKeys;
	readonly timeoutMs: number;
	/** Further tries of one provider, when it was busy or out of reach. */
	readonly retries: number;
	/** Sees each body before it leaves. */
	readonly audit?: (provider: ProviderName, body: string) => void;
}

interface Provider {
	readonly name: ProviderName;
	readonly model: string;
	readonly url: string;
	readonly urlEnv: string;
}
const PROVIDERS: readonly Provider[] = [
	{
		name: "typesafe",
		model: "jev-1.13.0",
		url: "https://api.typesafe.ai/v1/systemone",
		urlEnv: "ROSTER_JEV_TYPESAFE_URL",
	},
	{
		name: "openrouter",
		model: "typesafe/jev-1.13",
		url: "https://openrouter.ai/api/alpha/decisions",
		urlEnv: "ROSTER_JEV_OPENROUTER_URL",
	},
];
const RETRY_MS = 500;
/** An answer has some hundred bytes. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** Bytes of the largest body that would be sent. */
export function largestBody(state: PaneState): number {
	return Math.max(
		...PROVIDERS.map(({ model }) =>
			Buffer.byteLength(requestBody(model, state)),
		),
	);
}

/** The second one only behind a missing key, a busy provider, or one out of reach: another key mends no bad request. */
export async function askProviders(
	asking: Asking,
	state: PaneState,
): Promise<ProviderResult> {
	let last: ProviderResult = {
		kind: "error",
		category: "missing_key",
		detail: "",
	};
	for (const provider of PROVIDERS) {
		last = await askOne(asking, provider, state);
		const goesOn =
			last.kind === "error" &&
			(last.category === "missing_key" || last.category === "retryable_error");
		if (!goesOn) return last;
	}
	return last;
}

async function askOne(
	asking: Asking,
	provider: Provider,
	state: PaneState,
): Promise<ProviderResult> {
	const { env } = asking.doors.proc;
	const mocked = mockedAnswer(env, provider.name, state.agent);
	if (mocked !== null) return mocked;
	const key = asking.keys[provider.name];
	if (key === null) return failed("missing_key", provider.name);
	const url = endpoint(provider, env);
	if (url === null) return failed("api_error", `${provider.urlEnv} is refused`);
	const body = requestBody(provider.model, state);
	asking.audit?.(provider.name, body);
	let result = await exchange(asking, provider.name, url, key, body);
	for (let n = 0; n < asking.retries && isRetryable(result); n++) {
		await asking.doors.clock.sleep(RETRY_MS);
		result = await exchange(asking, provider.name, url, key, body);
	}
	return result;
}

/** Null: a place to which no key may go. A base without a path gets the provider's own. */
function endpoint(
	{ url, urlEnv }: Provider,
	env: Readonly<Record<string, string | undefined>>,
): string | null {
	const said = env[urlEnv];
	if (!said) return url;
	if (!URL.canParse(said)) return null;
	const base = new URL(said);
	const isSafe =
		base.protocol === "https:" ||
		(base.protocol === "http:" && isLoopback(base.hostname));
	if (!isSafe) return null;
	if (base.pathname === "/") base.pathname = new URL(url).pathname;
	return base.href;
}

async function exchange(
	{ doors, timeoutMs }: Asking,
	provider: ProviderName,
	url: string,
	key: string,
	body: string,
): Promise<ProviderResult> {
	const done = await withDeadline(
		doors.clock,
		timeoutMs,
		undefined,
		async (signal) => {
			const response = await doors.net.fetch(url, {
				method: "POST",
				headers: {
					authorization: `Bearer ${key}`,
					"content-type": "application/json",
				},
				body,
				signal,
			});
			const text = await boundedText(response, MAX_ANSWER_BYTES);
			return { status: response.status, text };
		},
	);
	if (done.kind !== "ok")
		// The platform's message may quote what was sent; it stays here.
		return failed(
			"retryable_error",
			done.kind === "ended" ? done.why : "transport",
		);
	const { status, text } = done.value;
	if (status === 429 || status === 529)
		return failed("retryable_error", `HTTP ${status}`);
	if (status === 401 || status === 403)
		return failed("auth_error", `HTTP ${status}`);
	if (status === 400 || status === 422)
		return failed("schema_error", `HTTP ${status}`);
	if (status !== 200) return failed("api_error", `HTTP ${status}`);
	const answer = text === null ? null : answerIn(text);
	return answer === null
		? failed("schema_error", "an answer of another form")
		: { kind: "answer", provider, answer };
}

function answerIn(text: string): Answer | null {
	const json = parseJson(text);
	if (textAt(json, "answers", QUESTION, "choice") === null) return null;
	return {
		choice: valueAt(json, "answers", QUESTION, "choice"),
		confidence: valueAt(json, "answers", QUESTION, "confidence"),
		probabilities: valueAt(json, "answers", QUESTION, "probabilities"),
	};
}

function isRetryable(result: ProviderResult): boolean {
	return result.kind === "error" && result.category === "retryable_error";
}

function failed(category: ErrorCategory, detail: string): ProviderResult {
	return { kind: "error", category, detail };
}
