/**
 * Every key that is ever sent, each sequence as one value (contract 04 §3): what is sent, what a look
 * must show right before it, what is waited for afterwards. S7, the question of a worker, is not
 * here: it gets no key. A test walks all of them while the screen changes between any two calls.
 */
import type { PermissionPrompt } from "../_pane/permission.ts";
import type { LookResult, PaneLook } from "../_pane/types.ts";
import { isSamePrompt, type StartChoice, stepsOf } from "./seen-again.ts";

/**
 * S0, DELIVER: the box is opened for text, the text is pasted, and each Enter has a look of its own
 * (`deliver.ts`). In vim's normal mode a paste would be read as commands; from insert mode the pair of
 * keys does nothing.
 */
export const OPEN_BOX: readonly string[] = ["i", "BSpace"];
export const SUBMIT: readonly string[] = ["Enter"];

/** Everything that ends in S0; S2, one line of the unstick pass, is the end of S4, S5 and S6. `role` names the tmux buffer, `ledger` the row of machine input that is written before. */
export const DELIVERIES = {
	/** A report to the orchestrator. */
	S1: { role: "emit", ledger: null },
	/** The end of S4, in a worker. */
	S4: { role: "resume", ledger: "unstick-ratelimit" },
	/** The end of S5, in the orchestrator. */
	S5: { role: "headsup", ledger: null },
	/** The end of S6, in the orchestrator. */
	S6: { role: "dialog", ledger: null },
	S8: { role: "wake", ledger: "over-limit-wake" },
	/** The newest archived report once more. */
	S9: { role: "rescue", ledger: null },
	/** The brief of a new orchestrator; the ladder after its Enter is its own (`_respawn/submit-verify.ts`). */
	S11: { role: "respawn", ledger: null },
	S12: { role: "followup", ledger: "paste-followup" },
} as const;
/** The same word for keys that are no paste. */
export const KEY_LEDGER = {
	S3: "unstick-permission",
	S10: "unstick-startup",
} as const;

/** Keys that answer a dialog. `Facts`: what the caller judged, and expects to see again. */
export interface KeySequence<Facts> {
	readonly id: string;
	/** Wait before the look, ms: a dialog takes no key at all in its first moment, and the key would be lost. */
	readonly restMs: number;
	/** Sent in one call. */
	readonly keys: readonly string[];
	/** Why the key must not be sent on what this look shows; null: it may. */
	readonly refuses: (look: PaneLook, facts: Facts) => string | null;
	/** Wait after the keys, ms. */
	readonly settleMs: number;
	/** Looked at until `isDone`, at most `limitMs`; null: the next pass looks. */
	readonly after: Aftermath<Facts> | null;
}
export interface Aftermath<Facts> {
	readonly isDone: (seen: LookResult, facts: Facts) => boolean;
	readonly everyMs: number;
	readonly limitMs: number;
}

export const DIALOG_REST_MS = 1000;

/** S3: the one-time yes of the very prompt that was judged. A prompt takes the box's place, so that no draft can be in reach. */
export const ACCEPT_PERMISSION: KeySequence<PermissionPrompt> = {
	id: "S3",
	restMs: DIALOG_REST_MS,
	keys: ["Enter"],
	refuses: ({ dialog }, judged) => {
		if (dialog?.kind !== "permission") return "not-live";
		if (!isSamePrompt(judged, dialog.prompt)) return "changed";
		return dialog.prompt.verdict === "wanted-highlighted"
			? null
			: dialog.prompt.verdict;
	},
	settleMs: 0,
	after: null,
};

/** S4 and S5: "Stop and wait for limit" ends the menu; the limit is over by now. */
export const DISMISS_LIMIT_MENU: KeySequence<null> = {
	id: "S4",
	restMs: 0,
	keys: ["Enter"],
	refuses: ({ dialog, input }) => {
		if (dialog?.kind === "permission") return "permission-prompt";
		if (dialog?.kind !== "rate-limit") return "none";
		if (dialog.verdict !== "wanted-highlighted") return dialog.verdict;
		// A menu replaces the box, so that a box which cannot be read says nothing.
		return input === "typed" ? "operator-draft" : null;
	},
	settleMs: 200,
	after: {
		isDone: (seen) =>
			seen.kind === "ok" && seen.look.dialog?.kind !== "rate-limit",
		everyMs: 500,
		limitMs: 3000,
	},
};

/** S6: the only Escape. While a question stands nothing is generated, and this one has no answer typed into it. */
export const DISMISS_QUESTION: KeySequence<{ readonly fingerprint: string }> = {
	id: "S6",
	restMs: DIALOG_REST_MS,
	keys: ["Escape"],
	refuses: ({ dialog }, judged) => {
		if (dialog?.kind !== "question") return "not-live";
		return dialog.fingerprint === judged.fingerprint ? null : "changed";
	},
	settleMs: 500,
	after: null,
};

/** S10: one step towards the wanted option. */
export const STEP_DOWN: KeySequence<StartChoice> = stepSequence("Down", 1);
export const STEP_UP: KeySequence<StartChoice> = stepSequence("Up", -1);

/** S10: Enter, with the cursor on the wanted option; never Escape, which ends the session. */
export const CONFIRM_CHOICE: KeySequence<StartChoice> = {
	id: "S10",
	restMs: 0,
	keys: ["Enter"],
	refuses: (look, choice) => {
		const steps = stepsOf(look, choice);
		if (typeof steps === "string") return steps;
		return steps === 0 ? null : "other-highlighted";
	},
	settleMs: 300,
	after: {
		isDone: (seen, { overlay }) =>
			seen.kind === "gone" ||
			(seen.kind === "ok" &&
				!(
					seen.look.dialog?.kind === "start" &&
					seen.look.dialog.overlay === overlay
				)),
		everyMs: 300,
		limitMs: 3000,
	},
};

export const KEY_SEQUENCES = {
	ACCEPT_PERMISSION,
	DISMISS_LIMIT_MENU,
	DISMISS_QUESTION,
	STEP_DOWN,
	STEP_UP,
	CONFIRM_CHOICE,
} as const;

function stepSequence(
	key: string,
	direction: 1 | -1,
): KeySequence<StartChoice> {
	return {
		id: "S10",
		restMs: 0,
		keys: [key],
		refuses: (look, choice) => {
			const steps = stepsOf(look, choice);
			if (typeof steps === "string") return steps;
			return Math.sign(steps) === direction ? null : "elsewhere";
		},
		settleMs: 300,
		after: null,
	};
}
