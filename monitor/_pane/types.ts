/** What the pane reader says, and what delivery needs of it (contract 03 §3–§9, 04 §5). Types only. */
import type { PaneRow } from "../_sys/doors.ts";
import type { DialogView } from "./dialog.ts";

export const PANE_STATES = [
	"idle",
	"autosuggest-only",
	"idle-orphan-async",
	"working-background",
	"working-self-paced",
	"busy",
	"user-typing",
	"blocked",
	"over-limit",
	"empty",
	"unknown",
	"absent",
] as const;
export type PaneStateName = (typeof PANE_STATES)[number];

/** What is in the input box; `?` = a composer row that could not be read. */
export type InputKind = "typed" | "ghost" | "blank" | "?";

/** The input box as one picture shows it. Texts have no attributes and no trailing blanks. */
export interface ComposerView {
	readonly input: InputKind;
	/** The composer row after the chevron and its blanks. */
	readonly row: string;
	/** The box's further rows up to its lower rule (or to the end of the screen). */
	readonly rest: readonly string[];
	readonly shellMode: boolean;
}

/** One picture of one pane, judged. Overlay, menu, input kind and box text come from the same capture. */
export interface PaneLook {
	readonly state: PaneStateName;
	/** null when no composer row is on the screen. */
	readonly input: InputKind | null;
	readonly overlay: string | null;
	readonly menu: boolean;
	/** First word of the completion menu's selected entry, when a menu is open. */
	readonly menuSelected: string | null;
	readonly queued: boolean;
	readonly composer: ComposerView | null;
	/** The dialog that is up, read: what it asks and where its cursor stands. */
	readonly dialog: DialogView | null;
	/** The output line of contract 03 §3. */
	readonly line: string;
	/** Session id by Claude Code's own live session file, or null. */
	readonly sessionId: string | null;
}

/** `gone`: the pane or its claude is positively gone. `unreadable`: could not look. */
export type LookResult =
	| { readonly kind: "ok"; readonly look: PaneLook }
	| { readonly kind: "gone"; readonly evidence: string }
	| {
			readonly kind: "unreadable";
			readonly reason: string;
			/** The process table shows for certain that another program than claude runs in it. */
			readonly isForeign?: true;
			/** Its claude stands still: the screen shows what was, and pastes would pile up behind it. */
			readonly isStopped?: true;
	  };

/** The pane reader as it is passed to delivery: looks at one pane now. */
export type LookAt = (
	pane: Pick<
		PaneRow,
		"paneId" | "windowId" | "windowIndex" | "windowName" | "panePid"
	> &
		Partial<Pick<PaneRow, "windowActive" | "paneDead" | "width" | "server">>,
	signal?: AbortSignal,
) => Promise<LookResult>;
