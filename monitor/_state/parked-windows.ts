/** Which windows wait for a reviewer now (contract 08 §7): their workers rest because they were told to. */

import { ageSeconds } from "../_sys/age.ts";
import type { PaneRows } from "../_sys/doors.ts";
import { readActionLog } from "./action-log.ts";
import type { StateDoors } from "./damaged.ts";
import { reviewerOf, reviewRequestedAt } from "./review-standing.ts";
import { pendingReviews, readSkepticPending } from "./skeptic.ts";

export interface ParkedFacts {
	readonly stateDir: string;
	/** Null: it cannot be looked at. */
	readonly inbox: string | null;
	readonly panes: PaneRows;
	/** How long a marker that nobody touches is fresh. */
	readonly hangSeconds: number;
	/** How long a reviewer may take to come. */
	readonly graceSeconds: number;
}

/** In doubt a window is not among them. */
export function parkedWindows(
	doors: StateDoors,
	f: ParkedFacts,
): ReadonlySet<string> {
	const { files, clock } = doors;
	const { stateDir, inbox, panes, hangSeconds, graceSeconds } = f;
	const isWithin = (at: number | null, seconds: number) => {
		const age = ageSeconds(clock.now(), at, seconds);
		return age !== null && age <= seconds;
	};
	const fresh = pendingReviews(files, stateDir).filter((window) => {
		const marker = readSkepticPending(files, stateDir, window);
		return marker.kind === "pending" && isWithin(marker.touchedAt, hangSeconds);
	});
	if (fresh.length === 0) return new Set();
	const log = readActionLog(doors, stateDir, ["skeptic-spawn"]) ?? [];
	return new Set(
		fresh.filter(
			(window) =>
				reviewerOf(window, panes, log) === "live" ||
				isWithin(
					reviewRequestedAt(files, stateDir, inbox, window),
					graceSeconds,
				),
		),
	);
}
