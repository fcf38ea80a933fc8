/** One night from a seed: played, and when something broke, told so that somebody can mend it. */
import { callLog } from "./call-log.ts";
import { type Outcome, play } from "./run.ts";
import type { Night } from "./schedule.ts";
import { shrink } from "./shrink.ts";
import { closer, punctual, upTo } from "./simpler.ts";
import { takeStrays } from "./strays.ts";

/** What is kept of a night: plain data, for it may come from another process. */
export interface NightResult {
	readonly seed: number;
	readonly simulatedMs: number;
	readonly digest: string;
	readonly violations: readonly string[];
	/** For whoever has to mend it: the shortest night that breaks the same, and its trace. */
	readonly lines: readonly string[];
}

export async function playNight(night: Night): Promise<NightResult> {
	const outcome = await play(night);
	const { simulatedMs, digest } = outcome;
	const violations = [...outcome.violations, ...takeStrays()];
	const lines =
		outcome.violations.length === 0 ? [] : await tellShortest(night, outcome);
	return { seed: night.seed, simulatedMs, digest, violations, lines };
}

/** Plays of a shrink: each costs seconds. */
const SHRINK_BUDGET = 40;
const SHOWN_LINES = 60;
const SHOWN_CALLS = 60;

async function tellShortest(
	night: Night,
	first: Outcome,
): Promise<readonly string[]> {
	const short = await shortest(night, first);
	const calls = callLog(SHOWN_CALLS);
	const { world, violations } = await play(short, { onCall: calls.note });
	return [
		`the shortest night that breaks it, for --replay: ${JSON.stringify(short)}`,
		...world.trace.slice(-SHOWN_LINES),
		"the last calls of a watcher's doors that changed something:",
		...calls.lines().map((line) => `  ${line}`),
		...violations.map((v) => `BROKEN ${v}`),
	];
}

/** The night with everything left out that its first violation does not need. */
async function shortest(night: Night, first: Outcome): Promise<Night> {
	const kind = kindOf(first.violations[0] ?? "");
	const breaks = async (candidate: Night) =>
		(await play(candidate)).violations.some(
			(violation) => kindOf(violation) === kind,
		);
	let base = night;
	// The cheapest first: whatever is tried after them is played as often as there are tries.
	for (const simpler of [upTo(first.acts), closer, punctual]) {
		const candidate = simpler(base);
		if (candidate !== base && (await breaks(candidate))) base = candidate;
	}
	const schedule = await shrink(
		base.schedule,
		(candidate) => breaks({ ...base, schedule: candidate }),
		SHRINK_BUDGET,
	);
	return { ...base, schedule };
}

/** A violation without its names and numbers: a shorter night breaks the same thing of something else. */
function kindOf(violation: string): string {
	return violation.replace(/[\w-]*\d[\w.:-]*/g, "#").replace(/'[^']*'/g, "#");
}
