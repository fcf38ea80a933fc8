/** The start of the watcher: facts, plan, steps (contract 01 §2.1). */

import { alarm } from "../_sys/bell.ts";
import type { Doors } from "../_sys/doors.ts";
import type { Refusal, StartupStep } from "./_startup/plan.ts";
import type { StartupSteps } from "./_startup/steps.ts";

/** Carries steps out in order; stops at the first that refuses. */
export async function runSteps(
	names: readonly StartupStep[],
	steps: StartupSteps,
): Promise<Refusal | null> {
	for (const name of names) {
		const refusal = await steps[name]();
		if (refusal !== null) return refusal;
	}
	return null;
}

/** Says why there is no start, and does what the refusal asks for. */
export async function carryOutRefusal(
	doors: Pick<Doors, "log" | "proc" | "tmux">,
	refusal: Refusal,
): Promise<Refusal["exit"]> {
	for (const line of refusal.lines) doors.log.warn(line);
	if (refusal.renameWindow !== undefined)
		await doors.tmux.run({
			kind: "rename-window",
			target: refusal.renameWindow.id,
			name: refusal.renameWindow.name,
		});
	if (refusal.ring)
		await alarm(doors.proc, "watcher: REFUSING to start, see the watcher log");
	return refusal.exit;
}
