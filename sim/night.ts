/** One night from a seed: played, and when something broke, told so that somebody can mend it. */
import { type Outcome, play } from "./run.ts";
import { drawSchedule, type Schedule } from "./schedule.ts";
import { shrink } from "./shrink.ts";

export interface Night {
	readonly seed: number;
	readonly schedule: Schedule;
}

export function nightOf(seed: number, hours: number): Night {
	return { seed, schedule: drawSchedule(seed, hours) };
}

/** Plays of a shrink: each costs seconds. */
const SHRINK_BUDGET = 40;
const SHOWN_LINES = 60;

/** The night with everything left out that its first violation does not need. */
export async function shortest(night: Night, first: Outcome): Promise<Night> {
	const kind = kindOf(first.violations[0] ?? "");
	const schedule = await shrink(
		night.schedule,
		async (candidate) =>
			(await play(candidate, night.seed)).violations.some(
				(violation) => kindOf(violation) === kind,
			),
		SHRINK_BUDGET,
	);
	return { ...night, schedule };
}

/** The end of its trace, and what was broken. */
export function tellOf({ world, violations }: Outcome): readonly string[] {
	return [
		...world.trace.slice(-SHOWN_LINES),
		...violations.map((v) => `BROKEN ${v}`),
	];
}

/** A violation without its names and numbers: a shorter night breaks the same thing of something else. */
function kindOf(violation: string): string {
	return violation.replace(/[\w-]*\d[\w.:-]*/g, "#").replace(/'[^']*'/g, "#");
}
