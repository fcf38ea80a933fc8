/** Telling panes of their mail, beside the ticks: typing may take its time (contract 09 §6.6). */
import type { LocalContext } from "../local/context.ts";
import { nudge, pendingNudges } from "../local/nudges.ts";

/** A line that was typed and is not proven is not typed again at each tick. */
const UNPROVEN_REST_MS = 300_000;

export interface Nudger {
	/** Begins, unless that pane is being told, or rests. Waits for nothing. */
	tell(recipient: string, sender: string): void;
	/** All that are still to be told. */
	tellPending(): void;
	/** Resolves when no pane is being told. */
	quiet(): Promise<void>;
}

/** One a process: it remembers whom it is telling. A failure is a warning in the log; the nudge stays pending. */
export function nudger(ctx: LocalContext): Nudger {
	const { clock, log } = ctx.doors;
	const telling = new Map<string, Promise<void>>();
	const restsUntil = new Map<string, number>();

	function tell(recipient: string, sender: string): void {
		if (telling.has(recipient)) return;
		if (clock.monoMs() < (restsUntil.get(recipient) ?? 0)) return;
		const done = nudge(ctx, recipient, sender)
			.then((end) => {
				if (end === "unproven")
					restsUntil.set(recipient, clock.monoMs() + UNPROVEN_REST_MS);
			})
			.catch((e) => log.warn(`fleet: nudge of @${recipient}: ${e}`))
			.finally(() => telling.delete(recipient));
		telling.set(recipient, done);
	}

	return {
		tell,
		tellPending: () => {
			for (const { recipient, sender } of pendingNudges(ctx))
				tell(recipient, sender);
		},
		quiet: async () => {
			await Promise.all(telling.values());
		},
	};
}
