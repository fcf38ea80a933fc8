/** A bug in one step of the loop must not end the watcher: it is logged and the loop goes on. */
import type { Doors } from "../../_sys/doors.ts";

/** The same complaint again within this time is not logged, ms. */
const REPEAT_MS = 600_000;

export type GuardedStep = <T>(
	name: string,
	step: () => T | Promise<T>,
) => Promise<T | undefined>;

/** Runs a step and answers what it answered; `undefined` when it threw. */
export function guardedStep(doors: Pick<Doors, "clock" | "log">): GuardedStep {
	const logged = new Map<string, number>();
	return async (name, step) => {
		try {
			return await step();
		} catch (error) {
			const now = doors.clock.monoMs();
			const before = logged.get(name);
			if (before === undefined || now - before >= REPEAT_MS) {
				logged.set(name, now);
				const text =
					error instanceof Error
						? (error.stack ?? error.message)
						: String(error);
				doors.log.warn(`loop step '${name}' failed: ${text}`);
			}
			return undefined;
		}
	};
}
