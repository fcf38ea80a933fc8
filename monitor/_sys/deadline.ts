/** A limit on every call (architecture, rule 5). */
import type { Clock } from "./doors.ts";

export type Timed<T> =
	| { readonly kind: "ok"; readonly value: T }
	| { readonly kind: "threw"; readonly error: unknown }
	/** `ms` passed, or `parent` aborted. What `act` says later is dropped. */
	| { readonly kind: "ended"; readonly why: string };

const ABORTED = "the run was ended";

/**
 * Runs `act` for at most `ms` milliseconds. Its own word does not count once the limit struck: a body
 * that is cut off resolves like a whole one. Never rejects.
 */
export async function withDeadline<T>(
	clock: Pick<Clock, "after">,
	ms: number,
	parent: AbortSignal | undefined,
	act: (signal: AbortSignal) => Promise<T>,
): Promise<Timed<T>> {
	const over = new AbortController();
	const ended = Promise.withResolvers<Timed<T>>();
	const end = (name: "TimeoutError" | "AbortError", why: string) => {
		ended.resolve({ kind: "ended", why });
		over.abort(new DOMException(why, name));
	};
	const onAbort = () => end("AbortError", ABORTED);
	if (parent?.aborted) return { kind: "ended", why: ABORTED };
	parent?.addEventListener("abort", onAbort, { once: true });
	const cancel = clock.after(ms, () =>
		end("TimeoutError", `no answer within ${ms} ms`),
	);
	try {
		return await Promise.race([settle(act(over.signal)), ended.promise]);
	} finally {
		cancel();
		parent?.removeEventListener("abort", onAbort);
	}
}

async function settle<T>(running: Promise<T>): Promise<Timed<T>> {
	try {
		return { kind: "ok", value: await running };
	} catch (error) {
		return { kind: "threw", error };
	}
}
