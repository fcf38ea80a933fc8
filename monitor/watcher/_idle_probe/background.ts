/** Background shells that use no processor any more (contract 03 §12.3, step 3). Pure. */
import type { BackgroundProgress } from "../../_state/background-progress.ts";
import { ageSeconds } from "../../_sys/age.ts";

export interface BackgroundLook {
	/** To be remembered; null: nothing is known. */
	readonly progress: BackgroundProgress | null;
	/** The shells are there and have stood still for longer than the grace. */
	readonly frozen: boolean;
}

/** `ticks` is null when there are no shells, or when nobody could count: then nothing is frozen. */
export function backgroundProgress(
	ticks: number | null,
	known: BackgroundProgress | null,
	now: number,
	graceSeconds: number,
): BackgroundLook {
	if (ticks === null) return { progress: known, frozen: false };
	const age =
		known?.cpuTicks === ticks ? ageSeconds(now, known.at, graceSeconds) : null;
	if (known === null || age === null)
		return { progress: { cpuTicks: ticks, at: now }, frozen: false };
	return { progress: known, frozen: age > graceSeconds };
}
