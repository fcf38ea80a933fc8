/** Text of ours that an earlier delivery left in a box gets its Enter, once nothing is in the way (contract 04 §5.5). */
import { finishLeftover } from "../../_delivery/leftover.ts";
import { underPasteLock } from "../../_delivery/under-lock.ts";
import { readLeftover } from "../../_state/paste-leftover.ts";
import { LOCK_MS, type UnstickPass } from "./pass.ts";

/** The delivery that is under way holds the lock: its text is no leftover yet. */
export async function finishLeftoverOf(
	{ run, ctx, hands }: UnstickPass,
	window: string,
): Promise<void> {
	const { signal } = run;
	if (readLeftover(run.doors.files, ctx.stateDir, window) === null) return;
	await underPasteLock(hands, window, LOCK_MS, signal, async (pane) => {
		const seen = await hands.lookAt(pane, signal);
		await finishLeftover({ ...hands, pane, window, signal }, seen);
	});
}
