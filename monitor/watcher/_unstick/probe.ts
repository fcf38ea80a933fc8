/** Asks the API when a usage limit ends (contract 04 §8.7). Only with the operator's key and consent. */
import { withDeadline } from "../../_sys/deadline.ts";
import type { Clock, Net } from "../../_sys/doors.ts";

const URL = "https://api.anthropic.com/v1/messages";
const TIMEOUT_MS = 15_000;
/** Unified first: it is the limit of the account, the other one of a minute's tokens. */
const HEADERS = [
	"anthropic-ratelimit-unified-reset",
	"anthropic-ratelimit-tokens-reset",
];

export interface ProbeConfig {
	readonly enabled: boolean;
	readonly apiKey: string | null;
	readonly model: string;
}

/** Epoch seconds; null: not asked, no answer, or none that says. The key is neither logged nor kept. */
export async function probeReset(
	{ net, clock }: { readonly net: Net; readonly clock: Clock },
	{ enabled, apiKey, model }: ProbeConfig,
	signal?: AbortSignal,
): Promise<number | null> {
	if (!enabled || !apiKey || model === "") return null;
	const asked = await withDeadline(clock, TIMEOUT_MS, signal, async (over) => {
		const answer = await net.fetch(URL, {
			method: "POST",
			headers: {
				"x-api-key": apiKey,
				"anthropic-version": "2023-06-01",
				"content-type": "application/json",
			},
			body: JSON.stringify({
				model,
				max_tokens: 1,
				messages: [{ role: "user", content: "." }],
			}),
			signal: over,
		});
		// A refusal carries the headers too: that is when they are wanted.
		await answer.body?.cancel();
		return answer.headers;
	});
	return asked.kind === "ok" ? resetOf(asked.value) : null;
}

/** Pure. ISO 8601 or epoch seconds; the first word of the value. */
function resetOf(headers: Headers): number | null {
	for (const name of HEADERS) {
		const word = headers.get(name)?.trim().split(/\s+/, 1)[0] ?? "";
		if (word === "") continue;
		if (/^\d{1,12}$/.test(word)) return Number(word);
		const ms = /^\d{4}-\d\d-\d\dT/.test(word) ? Date.parse(word) : Number.NaN;
		if (!Number.isNaN(ms)) return Math.floor(ms / 1000);
	}
	return null;
}
