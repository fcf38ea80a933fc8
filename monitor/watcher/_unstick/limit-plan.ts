/** When the panes that stand at a rate-limit menu may be woken (contract 04 §8.4). Pure; epoch seconds. */
import type { LimitReset } from "../../_state/ratelimit-episode.ts";

/** What is logged, by the contract's words. */
export interface PlanNote {
	readonly action: string;
	readonly fields: Readonly<Record<string, string | number>>;
}
export interface LimitPlan {
	readonly reset: LimitReset & { readonly at: number };
	readonly notes: readonly PlanNote[];
	readonly isDue: boolean;
}

export interface LimitFacts {
	/** As it was on disk; null: the episode begins. */
	readonly known: LimitReset | null;
	/** What proved that the limit is over; null: nothing did. */
	readonly event: string | null;
	/** What the API said, when it was asked. */
	readonly probed: number | null;
	/** What the panes' own notices say, a margin included. */
	readonly shown: number | null;
	readonly now: number;
	readonly heuristicMinutes: number;
}

/** A reset that was reported is used as it is; one that was guessed is never further ahead than a fresh guess. */
export function planLimit(f: LimitFacts): LimitPlan {
	const { now, event, known } = f;
	const guess = now + f.heuristicMinutes * 60;
	const plan = (
		reset: LimitPlan["reset"],
		...notes: readonly PlanNote[]
	): LimitPlan => ({ reset, notes, isDue: reset.at <= now });
	if (event !== null)
		return plan(
			{ at: now, source: "event" },
			{ action: "reset-epoch-expedited", fields: { source: event } },
		);
	if (known === null) {
		if (f.probed !== null)
			return plan(
				{ at: f.probed, source: "probe" },
				scheduled(f.probed, "probe"),
			);
		if (f.shown !== null)
			return plan(
				{ at: f.shown, source: "shown" },
				scheduled(f.shown, "shown"),
			);
		const heuristic = `heuristic-${f.heuristicMinutes}min`;
		return plan({ at: guess, source: "guess" }, scheduled(guess, heuristic));
	}
	if (known.at === null)
		return plan(
			{ at: now, source: known.source },
			{ action: "reset-epoch-reconciled", fields: { reset: now } },
		);
	if (known.source === "guess" && known.at > guess)
		return plan(
			{ at: guess, source: "guess" },
			{ action: "reset-epoch-clamped", fields: { from: known.at, to: guess } },
		);
	return plan({ at: known.at, source: known.source });
}

function scheduled(reset: number, source: string): PlanNote {
	return { action: "schedule-cascade", fields: { source, reset } };
}
