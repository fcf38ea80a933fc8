/** A small job beside the loop: while it runs, a second one is dropped. */
import type { Doors } from "../../_sys/doors.ts";

export interface OnceAtATime {
	(job: (signal: AbortSignal) => Promise<void>): void;
	readonly cancel: () => void;
}

/** A delivery takes up to half a minute, and the loop waits for none (contract 04 §2). */
export function onceAtATime({ log }: Pick<Doors, "log">): OnceAtATime {
	let running: AbortController | null = null;
	const start = (job: (signal: AbortSignal) => Promise<void>): void => {
		if (running !== null) return;
		const controller = new AbortController();
		running = controller;
		job(controller.signal)
			.catch((error: unknown) => log.warn(`resubmit: ${error}`))
			.finally(() => {
				running = null;
			});
	};
	return Object.assign(start, { cancel: () => running?.abort() });
}
