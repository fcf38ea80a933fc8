/** One key of S13 as a sequence: what a look must show right before it (contract 09 §6.5). Pure. */
import type { PaneLook } from "../_pane/types.ts";
import { DIALOG_REST_MS, type KeySequence } from "./sequences.ts";

export interface AgentKeyFacts {
	/** Place of the key in the list. */
	readonly index: number;
	/** What stood when the first key was to be sent; null: no dialog. */
	readonly startDialog: string | null;
}

/** Between two keys. */
const APART_MS = 100;

/**
 * A dialog that stood at the start gets its rest before the first key (`restMs`, ms); it refuses when the look right
 * before shows another dialog, or a draft.
 */
export function agentKey(
	key: string,
	{ index, startDialog }: AgentKeyFacts,
): KeySequence<AgentKeyFacts> {
	return {
		id: "S13",
		restMs: index === 0 && startDialog !== null ? DIALOG_REST_MS : 0,
		keys: [key],
		refuses: (look, facts) => refusal(key, look, facts),
		settleMs: APART_MS,
		after: null,
	};
}

/** The dialog without its cursor, which the keys move; null: none is up. */
export function dialogIdentity({ dialog, overlay }: PaneLook): string | null {
	if (overlay === null) return null;
	if (dialog?.kind === "permission") {
		const { question, body, options } = dialog.prompt;
		const still = options.map((row) => row.replace("❯", " ").trim());
		return JSON.stringify([overlay, question, body, still]);
	}
	return JSON.stringify([overlay, stillOf(dialog)]);
}

function stillOf(dialog: PaneLook["dialog"]): string {
	switch (dialog?.kind) {
		case "question":
			return dialog.asked;
		case "start":
			return dialog.fingerprint;
		default:
			return "";
	}
}

function refusal(
	key: string,
	look: PaneLook,
	{ index, startDialog }: AgentKeyFacts,
): string | null {
	const now = dialogIdentity(look);
	if (index === 0)
		return now === null && (look.input === "typed" || look.input === "?")
			? "a draft is in the composer"
			: null;
	// A digit or an Enter answers whatever is on the screen, and any key lands in the box when nothing is.
	if (now === startDialog) {
		const isBare = now === null && key === "Enter";
		return isBare ? "no dialog is up any more" : null;
	}
	return now === null ? "no dialog is up any more" : "another dialog is up";
}
