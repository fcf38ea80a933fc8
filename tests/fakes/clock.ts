/**
 * A clock that stands still until a test moves it. Timers fire in order of their time, and after
 * each one every promise that it woke has run before the next timer is looked at.
 */
import { isoLocal } from "../../monitor/_sys/clock.ts";
import type { Clock } from "../../monitor/_sys/doors.ts";

export interface FakeClock extends Clock {
	/** Moves both clocks by `ms`, firing every timer on the way. */
	advance(ms: number): Promise<void>;
	/** Moves the clocks from timer to timer until `promise` settles; throws when nothing is left to wait for. */
	run<T>(promise: Promise<T>): Promise<T>;
	/** An NTP step: the wall clock jumps by `ms`, the monotonic one does not, no timer fires. */
	stepWall(ms: number): void;
	/** A suspend: the wall clock jumps by `ms`, the monotonic one stands still, timers fire late. */
	suspend(ms: number): void;
	/** A stopped or starved process: both clocks jump by `ms` without a timer firing; late timers fire at the next `advance`. */
	stall(ms: number): void;
	/** Lets everything that can run without time passing run. */
	settle(): Promise<void>;
	/** Number of timers and sleeps that wait. */
	waiting(): number;
	/** Of these, the ones set `aside`. */
	waitingAside(): number;
	/** The same clock for a process that is looked at from outside: what it waits for is no happening of the world. */
	readonly aside: Pick<Clock, "sleep" | "after">;
	/** When a timer last fired and when the next one will, of those not set `aside` (monotonic ms; none: infinite). */
	happenings(): { readonly lastMs: number; readonly nextMs: number };
}

export interface FakeClockOptions {
	/** Epoch seconds at the start. Default 2026-07-28T18:00:00Z. */
	readonly now?: number;
	/** Moves to the next timer by itself whenever everything else waits: for flows that a test need not steer. */
	readonly auto?: boolean;
}

interface Timer {
	readonly at: number;
	readonly seq: number;
	readonly fn: () => void;
	readonly isAside: boolean;
}

export function fakeClock(opts: FakeClockOptions = {}): FakeClock {
	let wallMs = (opts.now ?? 1_785_261_600) * 1000;
	let mono = 1_000_000;
	let seq = 0;
	let pumping = false;
	let lastMs = Number.NEGATIVE_INFINITY;
	const timers = new Set<Timer>();

	const setter =
		(isAside: boolean): Clock["after"] =>
		(ms, fn) => {
			const at = mono + Math.max(0, ms);
			const timer = { at, seq: seq++, fn, isAside };
			timers.add(timer);
			if (opts.auto) pump();
			return () => timers.delete(timer);
		};
	const waiter =
		(after: Clock["after"]): Clock["sleep"] =>
		(ms, signal) =>
			new Promise((resolve) => {
				if (signal?.aborted) return resolve("aborted");
				const onAbort = () => {
					cancel();
					resolve("aborted");
				};
				const cancel = after(ms, () => {
					signal?.removeEventListener("abort", onAbort);
					resolve("slept");
				});
				signal?.addEventListener("abort", onAbort, { once: true });
			});
	const add = setter(false);
	const addAside = setter(true);

	function next(limit: number): Timer | null {
		let first: Timer | null = null;
		for (const t of timers) {
			if (t.at > limit) continue;
			if (first === null || t.at < first.at) first = t;
			else if (t.at === first.at && t.seq < first.seq) first = t;
		}
		return first;
	}

	function fire(timer: Timer): void {
		timers.delete(timer);
		shift(timer.at - mono);
		if (!timer.isAside) lastMs = mono;
		timer.fn();
	}

	function shift(ms: number): void {
		if (ms <= 0) return;
		mono += ms;
		wallMs += ms;
	}

	async function pump(): Promise<void> {
		if (pumping) return;
		pumping = true;
		await settle();
		for (let t = next(Infinity); t !== null; t = next(Infinity)) {
			fire(t);
			await settle();
		}
		pumping = false;
	}

	return {
		now: () => Math.floor(wallMs / 1000),
		nowMs: () => wallMs,
		monoMs: () => mono,
		iso: (at) => isoLocal(at ?? Math.floor(wallMs / 1000)),
		sleep: waiter(add),
		after: add,
		aside: { sleep: waiter(addAside), after: addAside },
		happenings: () => {
			let nextMs = Number.POSITIVE_INFINITY;
			for (const t of timers) if (!t.isAside) nextMs = Math.min(nextMs, t.at);
			return { lastMs, nextMs };
		},
		advance: async (ms) => {
			await settle();
			const end = mono + ms;
			for (let t = next(end); t !== null; t = next(end)) {
				fire(t);
				await settle();
			}
			shift(end - mono);
			await settle();
		},
		run: async (promise) => {
			let settled = false;
			const mark = () => {
				settled = true;
			};
			promise.then(mark, mark);
			await settle();
			let idleTurns = 0;
			while (!settled) {
				const timer = next(Infinity);
				if (timer !== null) {
					fire(timer);
					await settle();
					continue;
				}
				// A lazy import or a real file: give it real time, but not for ever.
				if (++idleTurns > 2000)
					throw new Error("the promise waits for something that is no timer");
				await Bun.sleep(1);
			}
			return promise;
		},
		stepWall: (ms) => {
			wallMs += ms;
		},
		suspend: (ms) => {
			wallMs += ms;
		},
		stall: (ms) => shift(ms),
		settle,
		waiting: () => timers.size,
		waitingAside: () => {
			let n = 0;
			for (const { isAside } of timers) if (isAside) n++;
			return n;
		},
	};
}

/** One turn of the event loop: every promise chain that needs no timer and no real I/O has run. */
function settle(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
