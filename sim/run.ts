/** Plays a schedule on a fresh simulated machine, then heals everything and waits, and says what was broken. */
import { isFault, WORKERS } from "./act.ts";
import { carryOutFault } from "./faults.ts";
import { brokenAtRest, watchInvariants } from "./invariants.ts";
import { newLedger } from "./ledger.ts";
import type { Schedule } from "./schedule.ts";
import { carryOutWork } from "./work.ts";
import { makeWorld, type World } from "./world.ts";

export interface Outcome {
	readonly violations: readonly string[];
	/** Simulated milliseconds. */
	readonly simulatedMs: number;
	/** Of everything the watchers logged and typed: two plays of one schedule have the same. */
	readonly digest: string;
	readonly world: World;
}

const STEP_MS = 30_000;
/** Longer than a usage limit, and than any back-off that holds a report once the orchestrator listens again. */
const REST_MS = 4 * 3_600_000;

/** `seed`: of the machine's own dice (ids, lengths of turns). Stops at the first violation. */
export async function play(schedule: Schedule, seed: number): Promise<Outcome> {
	const world = makeWorld(seed);
	const { clock } = world.doors;
	const ledger = newLedger();
	const startMs = clock.monoMs();
	for (const name of WORKERS) world.startWorker(name);
	world.startWatcher();

	const brokenNow = watchInvariants(world);
	let violations: readonly string[] = [];
	/** To `atMs` after the start, in steps; false when something broke. */
	const advanceTo = async (atMs: number): Promise<boolean> => {
		for (;;) {
			const left = startMs + atMs - clock.monoMs();
			if (left > 0) await clock.advance(Math.min(left, STEP_MS));
			violations = brokenNow(left > 0);
			if (violations.length > 0) return false;
			if (left <= STEP_MS) return true;
		}
	};
	for (const { atMs, act } of schedule) {
		if (!(await advanceTo(atMs))) break;
		world.trace.push(`${clock.iso().slice(11, 19)} ${JSON.stringify(act)}`);
		if (isFault(act)) carryOutFault(world, ledger, act);
		else carryOutWork(world, ledger, act);
	}
	if (violations.length === 0) {
		heal(world);
		await advanceTo(clock.monoMs() - startMs + REST_MS);
		if (violations.length === 0) violations = brokenAtRest(world, ledger);
	}
	const simulatedMs = clock.monoMs() - startMs;
	const digest = digestOf(world);
	world.end();
	await clock.settle();
	return { violations, simulatedMs, digest, world };
}

/** Every fault ends, and somebody who looks in the morning opens what is closed. */
function heal({ doors, gitHub, agents, startWorker, worker }: World): void {
	doors.files.faults.readOnly = false;
	doors.tmux.heal();
	gitHub.standIn.faults.clear();
	doors.files.faults.heal();
	for (const a of agents) {
		a.hang(false);
		if (a.dialog !== null) a.asks(null);
		a.erases();
	}
	for (const name of WORKERS) if (worker(name) === null) startWorker(name);
}

function digestOf(world: World): string {
	const hasher = new Bun.CryptoHasher("sha256");
	for (const line of world.doors.log.lines) hasher.update(`${line.msg}\n`);
	for (const { text, atMs } of world.delivered())
		hasher.update(`${atMs} ${text}`);
	return hasher.digest("hex").slice(0, 16);
}
