/** One look at the whole fleet for all tasks that want to see it: two tmux clients, however many tasks and panes (contract 03 §5). */
import type { LookAtFleet, Sweep } from "../../_pane/sweep.ts";
import type { Clock } from "../../_sys/doors.ts";

/** An async task may ask long after its tick; what is older is looked at anew. */
const FRESH_MS = 2_000;
const NONE_OLDER = -1;

export interface TickFleet {
	readonly look: LookAtFleet;
	/** A new tick looks with its own eyes: what woke it may be younger than the last picture. */
	readonly forget: () => void;
}

/** `ttlMs`: nobody gets an older picture, however patient. `sweep` must not belong to one run of one task: aborting that would blind the others. */
export function fleetThisTick(
	sweep: () => Promise<Sweep>,
	clock: Pick<Clock, "monoMs">,
	ttlMs: number,
): TickFleet {
	let last: Look | null = null;
	const begin = (): Promise<Sweep> => {
		const look: Look = {
			atMs: clock.monoMs(),
			seen: sweep(),
			ofThisTick: true,
			failed: false,
		};
		last = look;
		look.seen.then(
			({ kind }) => {
				look.failed = kind === "failed";
			},
			() => {
				if (last === look) last = null;
			},
		);
		return look.seen;
	};
	return {
		look: (maxAgeMs = NONE_OLDER) =>
			last !== null && serves(last, clock.monoMs(), Math.min(maxAgeMs, ttlMs))
				? last.seen
				: begin(),
		forget: () => {
			if (last !== null) last.ofThisTick = false;
		},
	};
}

interface Look {
	readonly atMs: number;
	readonly seen: Promise<Sweep>;
	ofThisTick: boolean;
	failed: boolean;
}

/** A failure is no picture: beyond its tick nobody is patient with it. */
function serves(look: Look, nowMs: number, maxAgeMs: number): boolean {
	const ageMs = nowMs - look.atMs;
	if (look.ofThisTick && ageMs <= FRESH_MS) return true;
	return !look.failed && ageMs <= maxAgeMs;
}
