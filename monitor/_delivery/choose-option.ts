/** S10: chooses one option of a start-up dialog by its text (contract 04 §8.10). Never Escape, never a bare Enter. */
import type { PaneRow } from "../_sys/doors.ts";
import { type PressDeps, press } from "./press.ts";
import { type StartChoice, stepsOf } from "./seen-again.ts";
import {
	CONFIRM_CHOICE,
	type KeySequence,
	STEP_DOWN,
	STEP_UP,
} from "./sequences.ts";

export type Chosen =
	/** The dialog is gone. */
	| { readonly kind: "chosen" }
	/** Enter was pressed on the option, and the dialog still stands. */
	| { readonly kind: "still-there" }
	| { readonly kind: "refused"; readonly why: string };

/** All arrows were spent, and the cursor is not where it should be. */
export const CURSOR_STANDS = "cursor-does-not-move";

/** `MAX_DISMISS_ATTEMPTS`: arrow keys at most. */
const MAX_STEPS = 5;

/** One arrow at a time with a look after each, then Enter with the cursor seen on the option. */
export async function chooseOption(
	deps: PressDeps,
	pane: PaneRow,
	choice: StartChoice,
	opts: {
		readonly maxSteps?: number;
		readonly before?: () => void;
		readonly signal?: AbortSignal;
	} = {},
): Promise<Chosen> {
	const { maxSteps = MAX_STEPS, signal } = opts;
	const once = firstOnly(opts.before);
	const send = (sequence: KeySequence<StartChoice>) =>
		press(deps, pane, sequence, choice, { before: once, signal });
	for (let arrows = 0; arrows <= maxSteps; arrows++) {
		const seen = await deps.lookAt(pane, signal);
		const steps = seen.kind === "ok" ? stepsOf(seen.look, choice) : seen.kind;
		if (typeof steps === "string") return { kind: "refused", why: steps };
		if (steps === 0) {
			const entered = await send(CONFIRM_CHOICE);
			if (entered.kind === "pressed")
				return { kind: entered.isDone ? "chosen" : "still-there" };
			return { kind: "refused", why: whyOf(entered) };
		}
		if (arrows === maxSteps) break;
		const moved = await send(steps > 0 ? STEP_DOWN : STEP_UP);
		if (moved.kind !== "pressed") return { kind: "refused", why: whyOf(moved) };
	}
	return { kind: "refused", why: CURSOR_STANDS };
}

function whyOf(end: { readonly kind: string; readonly why?: string }): string {
	return end.why ?? end.kind;
}

/** The ledger gets one row for the whole sequence. */
function firstOnly(act: (() => void) | undefined): () => void {
	let done = false;
	return () => {
		if (!done) act?.();
		done = true;
	};
}
