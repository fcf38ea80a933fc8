/** One look at the whole fleet for all tasks that want to see it: two tmux clients, however many tasks and panes (contract 03 §5). */
import type { LookAtFleet, Sweep } from "../../_pane/sweep.ts";
import type { Clock } from "../../_sys/doors.ts";

/** What a task gets that does not say how old a picture may be. A look that failed is not handed out for longer. */
const FRESH_MS = 2_000;

/** `sweep` must not belong to one run of one task: aborting that would blind the others. */
export function fleetThisTick(
	sweep: () => Promise<Sweep>,
	clock: Pick<Clock, "monoMs">,
): LookAtFleet {
	let last: { readonly atMs: number; readonly seen: Promise<Sweep> } | null =
		null;
	let failed = false;
	return (maxAgeMs = FRESH_MS) => {
		const now = clock.monoMs();
		const limit = failed ? Math.min(maxAgeMs, FRESH_MS) : maxAgeMs;
		if (last !== null && now - last.atMs <= limit) return last.seen;
		failed = false;
		const look = { atMs: now, seen: sweep() };
		last = look;
		look.seen.then(
			({ kind }) => {
				if (last === look) failed = kind === "failed";
			},
			() => {
				if (last === look) last = null;
			},
		);
		return look.seen;
	};
}
