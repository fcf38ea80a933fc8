/** How an emit paste ended, and how the primitive's ends map to it (contract 04 §6.2). */
import type { UnconfirmedReport } from "../_state/unconfirmed-reports.ts";
import type { PaneRow } from "../_sys/doors.ts";
import type { DeliverResult } from "./outcome.ts";

/**
 * 0 delivered · 1 tmux not installed · 2 window not listed · 3 failed before the Enter, or could not
 * look · 4 sent, nothing confirms · 5 no live pane or agent · 6 our text is in the box unsent ·
 * 7 nothing was pasted: an overlay, or somebody's text in the box.
 */
export type PasteRc = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

export interface PasteResult {
	readonly rc: PasteRc;
	/** In words, for the log: an outcome of the primitive, or what stopped it. */
	readonly outcome: string;
	/** False on rc 0 means UNCONFIRMED: nothing could confirm, and nothing speaks against it. */
	readonly confirmed: boolean;
	/** Given where no record proves a signed text: as it is remembered when it counts as delivered all the same. */
	readonly unproven?: UnconfirmedReport;
	/** Given with rc 4: is it there by now? `proven` by a record, `shown` by its signature. */
	readonly arrivedLate?: () => Promise<"proven" | "shown" | "no">;
	/** Given with rc 4: the text as it was pasted. */
	readonly pasted?: string;
	/** Another hand of ours pastes into that window. */
	readonly isBusy?: true;
	/** The pane that was meant; null when none was found. */
	readonly pane: PaneRow | null;
}

/** Pure: the primitive's end as a paste rc; `check-signature` where only the pane's history can tell. */
export function pasteRcOf(
	result: Pick<DeliverResult, "rc" | "outcome" | "failStep">,
): PasteRc | "check-signature" {
	switch (result.outcome) {
		case "blocked-before-paste":
		case "occupied-before-paste":
			return 7;
		case "unreadable-before-paste":
			return 3;
		case "undecidable-box":
			return 6;
		case "inert":
			return "check-signature";
	}
	switch (result.rc) {
		case 0:
			return 0;
		case 1:
			return result.failStep === "send-keys-enter" ? 6 : 3;
		case 3:
			return "check-signature";
		case 4:
			return 6;
		case 5:
			return 5;
		case 6:
			return 3;
	}
}
