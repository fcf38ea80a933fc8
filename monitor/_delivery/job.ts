/** What every step of one delivery needs. Types only. */
import type { LookAt } from "../_pane/types.ts";
import type { Doors, PaneRow } from "../_sys/doors.ts";
import type { DeliveryTimings } from "./timings.ts";

export interface DeliveryDeps {
	readonly doors: Doors;
	readonly stateDir: string;
	readonly lookAt: LookAt;
	readonly timings: DeliveryTimings;
}

export interface DeliveryJob extends DeliveryDeps {
	/** Resolved from the window's name for this delivery; its ids count on its server only. */
	readonly pane: PaneRow;
	/** Window name: the key of what is remembered about the pane. */
	readonly window: string;
	/** Cleaned, and with what `asPasted` adds. */
	readonly payload: string;
	/** The payload is one `/command` line for the agent's program. */
	readonly command: boolean;
	/** A dialog does not refuse the paste; the Enter still waits until it is gone. */
	readonly overDialog?: boolean;
	/** First part of the buffer's name, for whoever lists tmux buffers. */
	readonly role: string;
	/** Checked before every key. */
	readonly signal?: AbortSignal;
}
