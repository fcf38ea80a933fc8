/** One night from a seed: played, and when something broke, told so that somebody can mend it. */
import { type Outcome, play } from "./run.ts";
import type { Night } from "./schedule.ts";
import { shrink } from "./shrink.ts";

/** Plays of a shrink: each costs seconds. */
const SHRINK_BUDGET = 40;
const SHOWN_LINES = 60;

/** The night with everything left out that its first violation does not need. */
export async function shortest(night: Night, first: Outcome): Promise<Night> {
	const kind = kindOf(first.violations[0] ?? "");
	const breaks = async (candidate: Night) =>
		(await play(candidate)).violations.some(
			(violation) => kindOf(violation) === kind,
		);
	const punctual = { ...night, lateMs: 0 };
	const base = night.lateMs && (await breaks(punctual)) ? punctual : night;
	const schedule = await shrink(
		night.schedule,
		(candidate) => breaks({ ...base, schedule: candidate }),
		SHRINK_BUDGET,
	);
	return { ...base, schedule };
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
