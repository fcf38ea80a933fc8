/** Refining an idle verdict: does anything live on behind the empty box (contract 03 §10)? Pure. */
import type { Wait } from "../_state/heartbeat.ts";
import type { BackgroundShells } from "./process.ts";
import { factsOf, type Witnesses } from "./witnesses.ts";

export type Idle =
	| { readonly state: "idle" }
	| {
			readonly state: "working-background";
			/** null when only a monitor lives. */
			readonly shells: BackgroundShells | null;
			readonly evidence: string;
	  }
	| { readonly state: "working-self-paced"; readonly evidence: string }
	| {
			readonly state: "idle-orphan-async";
			readonly orphanKinds: string;
			readonly evidence: string;
	  };

/** Background work first, then a wake-up of its own, then declared waits; else idle. */
export function refineIdle(w: Witnesses): Idle {
	const counts = factsOf(w)?.activity.counts;
	const monitors = counts?.monitors ?? 0;
	const shells = shellCount(w, counts?.shells ?? 0);
	const sessionShell = w.session.says === "shell";
	if (shells > 0 || sessionShell)
		return {
			state: "working-background",
			shells: w.shells,
			evidence: sessionShell ? "session status shell" : `${shells} shells`,
		};
	if (monitors > 0)
		return {
			state: "working-background",
			shells: null,
			evidence: `${monitors} monitors`,
		};
	const { wakeupAt, waits } = w.heartbeat;
	if (wakeupAt !== null)
		return {
			state: "working-self-paced",
			evidence: `wakes up in ${wakeupAt - w.now} s`,
		};
	if (waits.length > 0) {
		const orphanKinds = kindsOf(waits);
		return { state: "idle-orphan-async", orphanKinds, evidence: orphanKinds };
	}
	return { state: "idle" };
}

/** A reliable tree overrides the screen, up and down. The screen's word may be older than the shell. */
function shellCount(w: Witnesses, onScreen: number): number {
	if (w.shells.reliable) return w.shells.count;
	return w.session.says === "idle" ? 0 : onScreen;
}

const KINDS_MAX = 80;

/** `kind:id,kind:id`, at most 80 characters; the last one is `…` when cut. */
function kindsOf(waits: readonly Wait[]): string {
	const all = waits
		.map(({ kind, id }) => `${kind}:${id}`.replace(/\s+/g, "_"))
		.join(",");
	const points = [...all];
	if (points.length <= KINDS_MAX) return all;
	return `${points.slice(0, KINDS_MAX - 1).join("")}…`;
}
