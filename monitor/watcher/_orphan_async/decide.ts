/** When a worker that waits for outside work is woken, and when it is left alone (contract 08 §4.3). Pure. */
import type { OrphanRow } from "../../_state/orphan-async.ts";
import type { ResolvedWait } from "./resolve.ts";

/** Seconds. */
export interface OrphanSettings {
	/** From the first sight to the first try. */
	readonly grace: number;
	readonly retry: number;
	/** Between two wakes of one window. */
	readonly cooldown: number;
	readonly maxHold: number;
}

/** What the scan saw of one worker's window. */
export interface SeenWorker {
	readonly window: string;
	/** Null: nobody could look. */
	readonly state: string | null;
	/** `orphan_kinds` of its line. */
	readonly waits: string | null;
}

/** The rows after a scan. A window that was not seen keeps its row. */
export function scanRows(
	rows: readonly OrphanRow[],
	seen: readonly SeenWorker[],
	now: number,
	{ grace }: OrphanSettings,
): readonly OrphanRow[] {
	const known = new Map(rows.map((row) => [row.window, row]));
	for (const { window, state, waits } of seen) {
		if (state === null || state === "unknown") continue;
		if (state !== "idle-orphan-async") {
			known.delete(window);
			continue;
		}
		const row = known.get(window) ?? {
			window,
			firstSeen: now,
			nextAttempt: now + grace,
			attempts: 0,
		};
		known.set(window, { ...row, waits: waits ?? "unknown" });
	}
	return [...known.values()];
}

export type Action =
	| { readonly kind: "skip" }
	/** Try again later; `failed` counts a delivery that did not arrive. */
	| { readonly kind: "hold"; readonly why: string }
	| { readonly kind: "drop"; readonly why: string }
	/** Its window was closed without a word in the log: say so, and drop. */
	| { readonly kind: "log-close" }
	| { readonly kind: "wake" };

/** What is known before anything is asked. `null`: look further. */
export function decideByClock(
	row: OrphanRow,
	facts: {
		readonly now: number;
		readonly wokenAt: number | null;
		readonly afterGap: boolean;
	},
	settings: OrphanSettings,
): Action | null {
	const { now, wokenAt, afterGap } = facts;
	if (afterGap) return hold("after a clock gap");
	if (now - row.firstSeen > settings.maxHold)
		return { kind: "drop", why: `held for ${now - row.firstSeen} s` };
	// A time further ahead than any wait is another clock's, and would hold the row until then.
	const ahead = row.nextAttempt - now;
	if (ahead > 0 && ahead <= Math.max(settings.grace, settings.retry))
		return { kind: "skip" };
	if (wokenAt !== null && Math.abs(now - wokenAt) < settings.cooldown)
		return hold(`woken ${now - wokenAt} s ago`);
	return null;
}

/** `absent`: tmux answered, and there is no such window. */
export type Probe =
	| { readonly kind: "absent" }
	| { readonly kind: "unknown"; readonly why: string }
	| {
			readonly kind: "line";
			readonly state: string;
			readonly queued: boolean;
			readonly conflict: string | null;
	  };

export interface OrphanFacts {
	readonly waits: readonly ResolvedWait[];
	/** The list that was resolved may lack some. */
	readonly isTruncated: boolean;
	readonly probe: Probe;
}

/** Waits first: a wake into live work is what this must never do. */
export function decideOrphanRow({
	waits,
	isTruncated,
	probe,
}: OrphanFacts): Action {
	const running = waits.find((wait) => wait.class === "running");
	if (running) return hold(`${running.kind}:${running.id} is running`);
	switch (probe.kind) {
		case "unknown":
			return hold(probe.why);
		case "absent": {
			const isOver = waits.every((wait) => wait.class === "terminal");
			return isOver && !isTruncated
				? { kind: "log-close" }
				: hold("the window is gone, its work perhaps not");
		}
		case "line":
			if (probe.queued) return hold("a delivery is on its way");
			if (probe.conflict !== null) return hold(`conflict ${probe.conflict}`);
			if (probe.state !== "idle-orphan-async")
				return { kind: "drop", why: `its pane is ${probe.state}` };
			// One that is not on the list may be running.
			return isTruncated ? hold("its waits cannot be read") : { kind: "wake" };
	}
}

function hold(why: string): Action {
	return { kind: "hold", why };
}
