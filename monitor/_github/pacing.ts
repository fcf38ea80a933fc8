/** How calls are tried again (contract 02 §2.2, 05 §2.7). Not by Octokit's plugin: its queue costs every call some 5 ms, writes too, and the pauses between its tries are others. */
import type { Clock } from "../_sys/doors.ts";
import type { GhFailure } from "./errors.ts";
import type { Answer } from "./send.ts";

/**
 * `scheduler`: nothing sleeps inside a call; the scheduler is the retry loop. `command`: reads are tried up to twice
 * again on network errors and 5xx, and writes are spaced (`write-pace.ts`).
 */
export type Pacing =
	| { readonly kind: "scheduler" }
	/** First wait before a read is tried again, milliseconds; the second is twice as long. */
	| { readonly kind: "command"; readonly retryMs: number };

const RETRIES = 2;

/** `ask` must be a read: a write's answer may be all that was lost. */
export async function askAgain<T>(
	clock: Pick<Clock, "sleep">,
	ask: () => Promise<Answer<T>>,
	retryMs: number,
	signal?: AbortSignal,
): Promise<Answer<T>> {
	for (let tried = 0; ; tried++) {
		const answer = await ask();
		if (answer.kind === "ok" || tried === RETRIES) return answer;
		if (!mayHeal(answer.failure)) return answer;
		const slept = await clock.sleep(retryMs * 2 ** tried, signal);
		if (slept !== "slept") return answer;
	}
}

/** A refusal is an answer, a limit has its pause, and whoever waited for the deadline has waited long enough. */
function mayHeal({ kind, sent }: GhFailure): boolean {
	return sent && (kind === "network" || kind === "server");
}
