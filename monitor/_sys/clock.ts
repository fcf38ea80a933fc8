/** The real clock door, and the local time stamp that every log and state file uses. */
import type { Clock } from "./doors.ts";

/** A longer `setTimeout` overflows and fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The system's clock, or one frozen at `NEXUS_TEST_NOW` (epoch seconds; anything else is ignored). */
export function realClock(
	env: Readonly<Record<string, string | undefined>>,
): Clock {
	const frozen = env.NEXUS_TEST_NOW ?? "";
	return /^\d{1,12}$/.test(frozen)
		? frozenClock(Number(frozen))
		: systemClock();
}

/** Local time with numeric offset, seconds precision: `2026-05-11T13:42:01-07:00`. */
export function isoLocal(epochSeconds: number): string {
	const at = new Date(epochSeconds * 1000);
	const offset = -at.getTimezoneOffset();
	const shifted = new Date(at.getTime() + offset * 60_000);
	const sign = offset < 0 ? "-" : "+";
	const minutes = Math.abs(offset);
	return `${shifted.toISOString().slice(0, 19)}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function systemClock(): Clock {
	return {
		now: () => Math.floor(Date.now() / 1000),
		nowMs: () => Date.now(),
		monoMs: () => performance.now(),
		iso: (epochSeconds) =>
			isoLocal(epochSeconds ?? Math.floor(Date.now() / 1000)),
		sleep,
		after: (ms, fn) => {
			const timer = setTimeout(fn, timerMs(ms));
			timer.unref();
			return () => clearTimeout(timer);
		},
	};
}

/** Dates stand still. A wait is over at once and moves the monotonic time by its length, so that every limit is reached. */
function frozenClock(epochSeconds: number): Clock {
	let waitedMs = 0;
	return {
		now: () => epochSeconds,
		nowMs: () => epochSeconds * 1000,
		monoMs: () => epochSeconds * 1000 + waitedMs,
		iso: (at) => isoLocal(at ?? epochSeconds),
		sleep: async (ms, signal) => {
			if (signal?.aborted) return "aborted";
			waitedMs += Math.max(0, ms);
			return "slept";
		},
		// A frozen clock never reaches a later moment, so a limit set with it never strikes.
		after: () => () => {},
	};
}

function sleep(ms: number, signal?: AbortSignal): Promise<"slept" | "aborted"> {
	if (signal?.aborted) return Promise.resolve("aborted");
	return new Promise((resolve) => {
		const end = (how: "slept" | "aborted") => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", onAbort);
			resolve(how);
		};
		const onAbort = () => end("aborted");
		const timer = setTimeout(() => end("slept"), timerMs(ms));
		signal?.addEventListener("abort", onAbort, { once: true });
	});
}

function timerMs(ms: number): number {
	return Math.min(Math.max(0, ms), LONGEST_TIMER_MS);
}

function two(n: number): string {
	return String(n).padStart(2, "0");
}
