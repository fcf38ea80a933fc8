/** Makes a failing schedule short: leaves out what the failure does not need (delta debugging). */
import type { Schedule } from "./schedule.ts";

/**
 * The shortest schedule found that still fails, by leaving out halves, quarters and at last single
 * happenings; at most `budget` tries.
 */
export async function shrink(
	schedule: Schedule,
	stillFails: (candidate: Schedule) => Promise<boolean>,
	budget: number,
): Promise<Schedule> {
	let best = schedule;
	let tries = 0;
	for (let parts = 2; tries < budget && best.length > 1; ) {
		const size = Math.ceil(best.length / parts);
		let isShorter = false;
		for (let at = 0; at < best.length && tries < budget; at += size) {
			const candidate = best.toSpliced(at, size);
			tries++;
			if (!(await stillFails(candidate))) continue;
			best = candidate;
			isShorter = true;
			break;
		}
		if (isShorter) parts = Math.max(2, parts - 1);
		else if (size === 1) break;
		else parts = Math.min(best.length, parts * 2);
	}
	return best;
}
