/** The row of machine input before a key of ours (contract 04 §7). Without it the input reads as an operator at the keyboard. */
import { appendMachineInput } from "../../_state/machine-input.ts";
import type { SeenPane, UnstickPass } from "./pass.ts";

/** Nobody reads rows of the orchestrator's window. A row that cannot be written stops nothing. */
export function stampKeys(
	{ run, ctx }: UnstickPass,
	{ window, isTarget }: Pick<SeenPane, "window" | "isTarget">,
	src: string,
): void {
	if (isTarget) return;
	const { files, clock } = run.doors;
	const stamp = clock.now();
	appendMachineInput(files, ctx.stateDir, { window, stamp, src, flag: "" });
}
