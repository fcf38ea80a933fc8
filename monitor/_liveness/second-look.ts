/**
 * Right after a suspend, an NTP step or a stopped process every file is old and the watcher healthy. Who is about to
 * restart a watcher, or report it down, because of its ages looks twice (contract 01 §3.2).
 */

import { mtimeOf } from "../_state/peek.ts";
import { watcherHeartbeatPath } from "../_state/watcher-heartbeat.ts";
import { watcherProgressPath } from "../_state/watcher-progress.ts";
import type { Doors } from "../_sys/doors.ts";
import { gatherLiveness, type LivenessDoors } from "./liveness-facts.ts";
import {
	isFresh,
	type LivenessFacts,
	type LivenessLimits,
	livenessVerdict,
	type Verdict,
} from "./verdict.ts";
import type { WatcherIdentity } from "./watcher-process.ts";

/** More than one heartbeat tick. */
const SECOND_LOOK_SECONDS = 25;

export interface ConfirmedVerdict {
	readonly facts: LivenessFacts;
	readonly verdict: Verdict;
	/** It looked dead or wedged, and moved before the second look: do nothing. */
	readonly moved: boolean;
}

/** The verdict now; 25 s later when it rests on ages alone. */
export async function confirmedVerdict(
	doors: LivenessDoors,
	stateDir: string,
	identity: WatcherIdentity,
	limits: LivenessLimits,
): Promise<ConfirmedVerdict> {
	const look = () => {
		const facts = gatherLiveness(doors, stateDir, identity);
		return { facts, verdict: livenessVerdict(facts, limits) };
	};
	const first = look();
	if (!needsSecondLook(first.facts, first.verdict))
		return { ...first, moved: false };
	// The ticker goes on beating beside a stuck loop: a heartbeat that was fresh already proves nothing by moving.
	const ticking = isFresh(first.facts.heartbeatAge, limits);
	const before = stamps(doors.files, stateDir);
	await doors.clock.sleep(SECOND_LOOK_SECONDS * 1000);
	const after = stamps(doors.files, stateDir);
	const moved =
		after.progress !== before.progress ||
		(!ticking && after.heartbeat !== before.heartbeat);
	return { ...look(), moved };
}

/** A dead pid with a free flock, or no heartbeat file, is no question of ages. */
function needsSecondLook(f: LivenessFacts, v: Verdict): boolean {
	if (v.state === "WEDGED") return true;
	if (v.state !== "DOWN" || v.bucket !== 2) return false;
	return !(f.pidLooks === "dead" && f.flockFree);
}

function stamps(
	files: Doors["files"],
	stateDir: string,
): { readonly heartbeat: number | null; readonly progress: number | null } {
	return {
		heartbeat: mtimeOf(files, watcherHeartbeatPath(stateDir)),
		progress: mtimeOf(files, watcherProgressPath(stateDir)),
	};
}
