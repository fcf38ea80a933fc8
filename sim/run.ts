/** Plays a schedule on a fresh simulated machine, then heals everything and waits, and says what was broken. */
import { isFault, WORKERS, type Work } from "./act.ts";
import { brokenAtRest } from "./at-rest.ts";
import { carryOutFault } from "./faults.ts";
import { heal } from "./heal.ts";
import { watchInvariants } from "./invariants.ts";
import { newLedger } from "./ledger.ts";
import type { Night } from "./schedule.ts";
import { carryOutWork } from "./work.ts";
import { makeWorld, type World, type WorldOptions } from "./world.ts";

export interface Outcome {
	readonly violations: readonly string[];
	/** Simulated milliseconds, without those in which the whole machine stood still. */
	readonly simulatedMs: number;
	/** How many happenings of the night had happened at its end. */
	readonly acts: number;
	/** Of everything the watchers logged and typed: two plays of one schedule have the same. */
	readonly digest: string;
	readonly world: World;
}

const STEP_MS = 30_000;
/** Longer than a usage limit, and than any back-off that holds a report once the orchestrator listens again. */
const REST_MS = 4 * 3_600_000;
/** What happens after that finds no back-off any more. */
const NEWS_MS = 20 * 60_000;
/** They are noticed by one look, and a report that could not be pasted then goes out at another. */
const LOOKS = 2;
/** What a night takes beyond its schedule. */
export const REST_HOURS = (REST_MS + NEWS_MS) / 3_600_000;
const NEWS: readonly Work[] = [
	{ do: "report", who: "w0" },
	{ do: "question", who: "w1" },
	{ do: "request" },
	{ do: "comment", by: "operator" },
];

/** Stops at the first violation. */
export async function play(
	night: Night,
	options: Pick<WorldOptions, "onCall"> = {},
): Promise<Outcome> {
	const { seed, schedule, isLate = false } = night;
	const world = makeWorld(seed, { ...night, ...options });
	const { clock } = world.doors;
	const ledger = newLedger();
	const startMs = clock.monoMs();
	let playedMs = 0;
	let acts = 0;
	for (const name of WORKERS) world.startWorker(name);
	world.startWatcher();

	const brokenNow = watchInvariants(world, ledger);
	let violations: readonly string[] = [];
	/** To `atMs` after the start, in steps; false when something broke. */
	const advanceTo = async (atMs: number): Promise<boolean> => {
		for (;;) {
			const left = startMs + atMs - clock.monoMs();
			if (left > 0) {
				const step = Math.min(left, STEP_MS);
				await clock.advance(step);
				playedMs += step;
			}
			violations = brokenNow(left > 0);
			if (violations.length > 0) return false;
			if (left <= STEP_MS) return true;
		}
	};
	for (const { atMs, act } of schedule) {
		world.lateness.expect(startMs + atMs);
		if (!(await advanceTo(atMs))) break;
		world.trace.push(`${clock.iso().slice(11, 19)} ${JSON.stringify(act)}`);
		if (isFault(act)) carryOutFault(world, ledger, act);
		else carryOutWork(world, ledger, act);
		acts++;
	}
	if (violations.length === 0) {
		heal(world);
		// Nothing but time passes, and hours of it in time would cost more than the night.
		world.lateness.is(true);
		const rested = clock.monoMs() - startMs + REST_MS;
		world.lateness.expect(startMs + rested);
		if (await advanceTo(rested)) {
			world.lateness.is(isLate);
			for (const act of NEWS) carryOutWork(world, ledger, act);
			world.lateness.expect(Number.POSITIVE_INFINITY);
			await advanceTo(rested + NEWS_MS + LOOKS * world.lateness.longestMs);
		}
		if (violations.length === 0) violations = brokenAtRest(world, ledger);
	}
	const digest = digestOf(world);
	world.end();
	await clock.settle();
	return { violations, simulatedMs: playedMs, acts, digest, world };
}

function digestOf(world: World): string {
	const hasher = new Bun.CryptoHasher("sha256");
	for (const line of world.doors.log.lines) hasher.update(`${line.msg}\n`);
	for (const { text, atMs } of world.delivered())
		hasher.update(`${atMs} ${text}`);
	return hasher.digest("hex").slice(0, 16);
}
