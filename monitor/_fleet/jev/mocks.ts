/** Answers of the classifiers that a test writes into the environment (contract 09 §13). Pure. */
import {
	isObject,
	numberAt,
	parseObject,
	textAt,
} from "../../_state/json-object.ts";
import type { ProviderName, ProviderResult } from "./providers.ts";
import { type Answer, CLASSES, isWatchClass } from "./route.ts";

type Env = Readonly<Record<string, string | undefined>>;
export type MockWord =
	| "api_error"
	| "retryable_error"
	| "auth_error"
	| "schema_error";

const DEFAULT_CONFIDENCE = 0.97;

/** Null: this provider is not mocked. An agent that the mock does not name finds no answer. */
export function mockedAnswer(
	env: Env,
	provider: ProviderName,
	agent: string,
): ProviderResult | null {
	const own = env[`ROSTER_JEV_FILTER_MOCK_${provider.toUpperCase()}_JSON`];
	const text = own || env.ROSTER_JEV_FILTER_MOCK_JSON;
	if (!text) return null;
	const said = parseObject(text)?.[agent];
	if (isErrorWord(said))
		return { kind: "error", category: said, detail: "mock" };
	const choice = typeof said === "string" ? said : textAt(said, "class");
	const given = isObject(said) ? numberAt(said, "confidence") : null;
	if (choice === null)
		return { kind: "error", category: "schema_error", detail: "no mock" };
	return {
		kind: "answer",
		provider,
		answer: answerOf(choice, given ?? DEFAULT_CONFIDENCE),
	};
}

/** What is left is shared by the other classes. */
function answerOf(choice: string, confidence: number): Answer {
	const share = isWatchClass(choice)
		? (1 - confidence) / (CLASSES.length - 1)
		: 1 / CLASSES.length;
	const probabilities = Object.fromEntries(
		CLASSES.map((one) => [one, one === choice ? confidence : share]),
	);
	return { choice, confidence, probabilities };
}

function isErrorWord(said: unknown): said is MockWord {
	return (
		said === "api_error" ||
		said === "retryable_error" ||
		said === "auth_error" ||
		said === "schema_error"
	);
}
