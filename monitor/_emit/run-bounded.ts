/** A render under a wall-clock limit, its partial output kept (contract 01 §7). */
import type { Clock } from "../_sys/doors.ts";

/** Writes rows to `sink` as it goes; the result is its exit code. */
export type Render = (
	sink: (rows: string) => void,
	signal: AbortSignal,
) => Promise<number>;

export interface BoundedResult {
	/** 124 at the limit, 1 when the render threw. */
	readonly rc: number;
	readonly out: string;
}

/** The label that a degraded render gets in log and report. */
export function renderLabel(rc: number): "TIMED OUT" | "RENDER FAILED" {
	return rc === 124 ? "TIMED OUT" : "RENDER FAILED";
}

/** Resolves with what was written until the render ended, `ms` passed, or `signal` aborted. Never rejects. */
export async function runBounded(
	clock: Pick<Clock, "after">,
	ms: number,
	render: Render,
	signal?: AbortSignal,
): Promise<BoundedResult> {
	let out = "";
	let open = true;
	const sink = (rows: string): void => {
		// A render that goes on after its limit must not change what was reported of it.
		if (open) out += rows;
	};
	const own = new AbortController();
	const limit = Promise.withResolvers<number>();
	const cancel = clock.after(ms, () => limit.resolve(124));
	const onAbort = (): void => limit.resolve(124);
	signal?.addEventListener("abort", onAbort, { once: true });
	if (signal?.aborted) onAbort();
	const rc = await Promise.race([
		limit.promise,
		render(sink, own.signal).catch(() => 1),
	]);
	open = false;
	cancel();
	signal?.removeEventListener("abort", onAbort);
	if (rc === 124) own.abort();
	return { rc, out };
}
