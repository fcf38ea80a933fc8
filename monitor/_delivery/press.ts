/** One key sequence into one pane: a look, the keys, and what is waited for afterwards (contract 04 §3). */
import type { LookAt, LookResult } from "../_pane/types.ts";
import type { Doors, PaneRow } from "../_sys/doors.ts";
import type { KeySequence } from "./sequences.ts";

export interface PressDeps {
	readonly doors: Pick<Doors, "clock" | "tmux">;
	readonly lookAt: LookAt;
}

export type Pressed =
	/** `isDone`: what had to follow was seen; null when nothing is waited for. */
	| { readonly kind: "pressed"; readonly isDone: boolean | null }
	/** Nothing was sent. */
	| { readonly kind: "refused"; readonly why: string }
	| { readonly kind: "failed"; readonly why: string }
	| { readonly kind: "aborted" };

/**
 * The look is the last thing before the key: every question in between would be time for somebody to
 * type. `before` runs when the look allows the key (the ledger's row). The caller holds the paste lock.
 */
export async function press<Facts>(
	{ doors, lookAt }: PressDeps,
	pane: PaneRow,
	sequence: KeySequence<Facts>,
	facts: Facts,
	opts: {
		readonly before?: () => void;
		/** Longest wait for what has to follow; default: the sequence's. */
		readonly limitMs?: number;
		readonly signal?: AbortSignal;
	} = {},
): Promise<Pressed> {
	const { clock, tmux } = doors;
	const { before, signal } = opts;
	if (sequence.restMs > 0) await clock.sleep(sequence.restMs, signal);
	const why = refusal(await lookAt(pane, signal), sequence, facts);
	if (signal?.aborted) return { kind: "aborted" };
	if (why !== null) return { kind: "refused", why };
	before?.();
	const sent = await tmux.run(
		{ kind: "send-keys", target: pane.paneId, keys: sequence.keys },
		signal,
	);
	if (sent.kind === "aborted") return sent;
	// A client that hung may have been heard: what the next look shows decides.
	if (sent.kind !== "ok" && sent.kind !== "hung")
		return {
			kind: "failed",
			why: sent.kind === "failed" ? sent.stderr : sent.kind,
		};
	await clock.sleep(sequence.settleMs, signal);
	const { after } = sequence;
	if (after === null) return { kind: "pressed", isDone: null };
	const end = clock.monoMs() + (opts.limitMs ?? after.limitMs);
	for (;;) {
		const seen = await lookAt(pane, signal);
		if (after.isDone(seen, facts)) return { kind: "pressed", isDone: true };
		if (signal?.aborted || clock.monoMs() >= end)
			return { kind: "pressed", isDone: false };
		await clock.sleep(after.everyMs, signal);
	}
}

/** Pure. A pane that cannot be read gets no key. */
function refusal<Facts>(
	seen: LookResult,
	sequence: KeySequence<Facts>,
	facts: Facts,
): string | null {
	return seen.kind === "ok" ? sequence.refuses(seen.look, facts) : seen.kind;
}
