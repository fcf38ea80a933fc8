/** Text of ours that an earlier delivery left in the box unsent (contract 04 §5.5, 00 C2). */
import type { LookResult } from "../_pane/types.ts";
import { dropLeftover, readLeftover } from "../_state/paste-leftover.ts";
import type { DeliveryJob } from "./job.ts";
import { mayPressEnter } from "./look.ts";
import { pressEnter } from "./submit.ts";
import { boxIsClear } from "./verdict.ts";

/**
 * `submitted`: one Enter sent it on. `cleared`: the box is provably clear, the memory was dropped.
 * `kept`: a leftover is remembered and nothing was touched. `none`: there is none.
 */
export type LeftoverStep = "none" | "cleared" | "kept" | "submitted";

type LeftoverJob = Omit<DeliveryJob, "payload" | "command" | "role">;

/**
 * Finishes a leftover by what `seen` shows: one Enter when the box is exactly it, with nothing over
 * the box. The caller holds the paste lock, and took `seen` just now.
 */
export async function finishLeftover(
	job: LeftoverJob,
	seen: LookResult,
): Promise<LeftoverStep> {
	const { files, log } = job.doors;
	const leftover = readLeftover(files, job.stateDir, job.window);
	if (leftover === null) return "none";
	if (boxIsClear(seen)) {
		dropLeftover(files, job.stateDir, job.window);
		return "cleared";
	}
	if (mayPressEnter(seen, leftover).kind !== "yes") return "kept";
	const entered = await pressEnter({
		...job,
		payload: leftover,
		command: false,
		role: "leftover",
	});
	if (entered.kind !== "sent") return "kept";
	log.info(`paste window=${job.window} leftover-submitted`);
	return "submitted";
}
