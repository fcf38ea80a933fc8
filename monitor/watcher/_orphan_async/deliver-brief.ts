/** A brief into a worker's pane, through the one confirmed delivery (contract 04 §5). */
import { pasteToTarget } from "../../_delivery/paste-to-target.ts";
import { timingsOf } from "../../_delivery/timings.ts";
import { makeLookAt } from "../../_pane/look.ts";
import { readerSettings } from "../../_pane/settings.ts";
import type { TaskRun, WatcherContext } from "../context.ts";

export type BriefPlace = Pick<WatcherContext, "stateDir" | "config" | "target">;
/** Puts the file's text into the window's pane; true when it arrived. */
export type BriefDelivery = (
	place: BriefPlace,
	run: TaskRun,
	window: string,
	file: string,
) => Promise<boolean>;

/** A lock that is held longer is tried again later: the tick has no time for both a long wait and the proof. */
const LOCK_MS = 2000;

export const deliverBrief: BriefDelivery = async (place, run, window, file) => {
	const { stateDir, config, target } = place;
	const { doors, signal } = run;
	const settings = { ...readerSettings(config), targetWindow: target };
	const timings = timingsOf(config);
	const pasted = await pasteToTarget(
		{
			doors,
			stateDir,
			timings: { ...timings, lockMs: Math.min(timings.lockMs, LOCK_MS) },
			lookAt: makeLookAt({ doors, stateDir, settings }),
			orchestratorWindow: target,
			// Deferrals are counted for reports; a brief has its own next try.
			noteDeferral: () => {},
			resetDeferral: () => {},
		},
		{ window, file, stamp: "no-liveness-stamp", role: "wake", signal },
	);
	run.log(`orphan-async: ${window}: paste rc=${pasted.rc} (${pasted.outcome})`);
	return pasted.rc === 0;
};
