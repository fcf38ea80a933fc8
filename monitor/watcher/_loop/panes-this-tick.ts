/** One `list-panes -a` a tick for all tasks: a tmux client costs more than what most of them do with its answer. */
import type { Clock, PaneRows, Tmux } from "../../_sys/doors.ts";

/** An async task may ask long after its tick; what is older than the probe's cadence is looked up anew. */
const MAX_AGE_MS = 2_000;

export interface TickPanes {
	readonly look: () => Promise<PaneRows>;
	/** A new tick looks with its own eyes. */
	readonly forget: () => void;
}

/** Callers within a tick share one answer, a failed one too; `forget` begins the next. */
export function panesThisTick(
	tmux: Pick<Tmux, "panes">,
	clock: Pick<Clock, "monoMs">,
): TickPanes {
	let seen: { readonly atMs: number; readonly rows: Promise<PaneRows> } | null =
		null;
	return {
		look: () => {
			const now = clock.monoMs();
			if (seen === null || now - seen.atMs >= MAX_AGE_MS)
				// No task's signal goes along: aborting one task must not blind the others. tmux calls have a limit of their own.
				seen = { atMs: now, rows: tmux.panes() };
			return seen.rows;
		},
		forget: () => {
			seen = null;
		},
	};
}
