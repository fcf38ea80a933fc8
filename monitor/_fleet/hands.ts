/** What the fleet needs of pane reading and delivery, handed in by whoever joins them (contract 09 §3). Types only. */
import type { DeliverOutcome, FailStep } from "../_delivery/outcome.ts";
import type { Grid } from "../_pane/grid.ts";
import type { LookAt } from "../_pane/types.ts";
import type { PaneRow } from "../_sys/doors.ts";
import type { Key } from "./fleet.ts";

export interface PaneText {
	readonly pane: PaneRow;
	/** Window name: the key of the paste lock. */
	readonly window: string;
	readonly text: string;
	readonly command: boolean;
	/** The runtime whose box the text goes into; `claude` has a transcript, others do not. */
	readonly runtime: string;
	readonly signal?: AbortSignal;
}
export interface TextEnd {
	/** `busy`: somebody else types into this window. */
	readonly outcome: DeliverOutcome | "busy";
	readonly reason?: string;
	/** The tmux call that failed. */
	readonly failStep?: FailStep;
}
export interface PaneKeys {
	readonly pane: PaneRow;
	readonly window: string;
	readonly keys: readonly Key[];
	readonly runtime: string;
	readonly signal?: AbortSignal;
}
/** `sent` holds the keys that went out before the end. */
export type KeysEnd =
	| { readonly kind: "sent"; readonly sent: readonly Key[] }
	| {
			readonly kind: "withheld" | "unknown" | "failed" | "gone";
			readonly why: string;
			readonly sent: readonly Key[];
	  };

export interface FleetHands {
	/** The one gate of `_delivery/`. */
	readonly deliver: (text: PaneText) => Promise<TextEnd>;
	readonly press: (keys: PaneKeys) => Promise<KeysEnd>;
	/** `_delivery/`'s cleaning and guard, for text that another program types. */
	readonly clean: (text: string, command: boolean) => string;
	/** The pane reader of `_pane/`. */
	readonly look: LookAt;
	readonly grid: (capture: string, width: number) => Grid;
	/** The question of a live permission dialog on a claude pane, as the watcher itself reads it; else null. */
	readonly question: (capture: string) => string | null;
	/** Tells an orchestrator's or worker's window from the house's own, by name; reads once what it must know. */
	readonly agentWindows: () => (window: string) => boolean;
	/** Writes what keeps first-start dialogs away (contract 08 §8.4). Null = done, else why not. */
	readonly trust: (folder: string) => Promise<string | null>;
	/** Is nothing of a folder left for `trust` to write? */
	readonly isTrusted: (folder: string) => boolean;
	/** Takes back what `trust` wrote of a folder that is gone. Null = done, else why not. */
	readonly distrust: (folder: string) => Promise<string | null>;
	/** A push to the operator; failure is the caller's log line. Absent: no notifier is configured. */
	readonly notify?: (title: string, body: string) => Promise<string | null>;
}
