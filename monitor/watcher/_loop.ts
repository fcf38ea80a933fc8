/** The watcher's loop: one iteration after another until it is told to stop or was superseded (contract 01 §2.2). */
import { type ClockReading, clockGap } from "../_liveness/clock-gap.ts";
import type { Doors } from "../_sys/doors.ts";
import { guardedStep } from "./_loop/guarded-step.ts";

/** What the loop asks of the scheduler. */
export interface LoopScheduler {
	tick(): Promise<number>;
	sleep(): Promise<number>;
	afterClockGap(graceSeconds: number, shiftSeconds: number): void;
	readonly shutdownRequested: boolean;
	/** Aborts when shutdown is requested. */
	readonly shutdownSignal: AbortSignal;
}

export interface LoopParts {
	readonly doors: Pick<Doors, "clock" | "log">;
	readonly scheduler: LoopScheduler;
	readonly intervalSeconds: number;
	readonly maxSleepSeconds: number;
	/** Sleep while the state dir cannot be written. */
	readonly degradedPollSeconds: number;
	/** The write probe with its alarm on the edge (contract 00 R8). */
	readonly checkDisk: () => Promise<"writable" | "not-writable">;
	/** The disk is back: publishes what could not be written. False when another watcher has started meanwhile. */
	readonly publishAgain: () => Promise<boolean>;
	readonly bumpProgress: () => void;
	readonly keepTicker: () => void;
	/** Called each iteration; looks once a minute (contract 07 §8.7). */
	readonly glance: () => Promise<void>;
	readonly beaconStep: () => "refresh" | "fence";
	readonly rearmHints: () => void;
}

export type LoopEnd = "shutdown" | "superseded";

/**
 * Resolves when the watcher was told to stop, or another holds the state dir. A step that throws is logged and costs
 * only itself.
 */
export async function runLoop(parts: LoopParts): Promise<LoopEnd> {
	const { doors, scheduler } = parts;
	const step = guardedStep(doors);
	let last = reading(doors);
	let longestSleep = parts.maxSleepSeconds;
	let degraded = false;
	for (;;) {
		last = checkClock(parts, last, longestSleep);

		if ((await step("write probe", parts.checkDisk)) === "not-writable") {
			if (scheduler.shutdownRequested) return left(doors);
			degraded = true;
			longestSleep = parts.degradedPollSeconds;
			await doors.clock.sleep(longestSleep * 1000, scheduler.shutdownSignal);
			if (scheduler.shutdownRequested) return left(doors);
			continue;
		}
		longestSleep = parts.maxSleepSeconds;
		if (degraded) {
			const published = await step("publish", parts.publishAgain);
			if (published === false) return superseded(doors);
			// It threw: what it did not come to is published in the next iteration.
			degraded = published === undefined;
		}

		await step("tick", () => scheduler.tick());
		await step("progress", parts.bumpProgress);
		await step("ticker", parts.keepTicker);
		await step("config glance", parts.glance);
		await step("wake hints", parts.rearmHints);

		if ((await step("beacon", parts.beaconStep)) === "fence")
			return superseded(doors);
		if (scheduler.shutdownRequested) return left(doors);
		await scheduler.sleep();
	}
}

/** Compares both clocks with the last iteration's; after a gap nothing is judged dead for a while (contract 01 §3.3). */
function checkClock(
	parts: LoopParts,
	last: ClockReading,
	longestSleep: number,
): ClockReading {
	const { clock, log } = parts.doors;
	const now = reading(parts.doors);
	const gap = clockGap(last, now, {
		maxSleepSeconds: longestSleep,
		intervalSeconds: parts.intervalSeconds,
	});
	if (gap.kind === "gap") {
		const until = clock.iso(now.wallSeconds + gap.graceSeconds);
		log.warn(
			`clock gap: wall ${gap.wallSeconds}s, monotonic ${gap.monoSeconds}s; grace until ${until}`,
		);
		parts.scheduler.afterClockGap(gap.graceSeconds, gap.shiftSeconds);
	}
	return now;
}

function reading({ clock }: Pick<Doors, "clock">): ClockReading {
	return { wallSeconds: clock.now(), monoMs: clock.monoMs() };
}

function superseded(doors: Pick<Doors, "log">): LoopEnd {
	doors.log.warn("superseded: another watcher runs here; leaving");
	return "superseded";
}

function left(doors: Pick<Doors, "log">): LoopEnd {
	doors.log.info("shutdown requested; leaving the loop");
	return "shutdown";
}
