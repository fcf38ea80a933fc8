/** A time limit that can be waited for, asked about, shortened and dropped. */
import type { Clock } from "../../_sys/doors.ts";

export interface Limit {
	readonly reached: Promise<void>;
	readonly passed: () => boolean;
	/** Starts over with `ms`. */
	readonly restart: (ms: number) => void;
	readonly cancel: () => void;
}

/** Runs from now on, in ms; `reached` never rejects and, once cancelled, never resolves. */
export function startLimit(clock: Clock, ms: number): Limit {
	const { promise, resolve } = Promise.withResolvers<void>();
	let passed = false;
	const arm = (delay: number) =>
		clock.after(delay, () => {
			passed = true;
			resolve();
		});
	let cancel = arm(ms);
	return {
		reached: promise,
		passed: () => passed,
		restart: (delay) => {
			cancel();
			cancel = arm(delay);
		},
		cancel: () => cancel(),
	};
}
