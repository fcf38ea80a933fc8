/** How long delivery waits, in ms (contract 04 §3 S0, §5.5, §6.2). */
import type { Config } from "../../config/schema.ts";

export interface DeliveryTimings {
	/** Between the keys that open the insert mode and the paste. */
	readonly insertMs: number;
	/** Between the paste and the first look. */
	readonly settleMs: number;
	/** Between two looks for evidence, or for our text in the box. */
	readonly pollMs: number;
	/** Longest wait for our text to show, before no Enter is pressed. */
	readonly beforeEnterMs: number;
	/** Between two looks at a pane that cannot be read, and the longest wait for one that can. */
	readonly unreadableMs: number;
	readonly unreadableLimitMs: number;
	/** One window a possible Enter. */
	readonly confirmWindowsMs: readonly number[];
	/** Between two looks at the pane within a window. */
	readonly heldCheckMs: number;
	/** Longest wait for the paste lock. */
	readonly lockMs: number;
	/** Longest wait for the signature to show in the pane's history. */
	readonly renderRecheckMs: number;
	readonly retryMs: number;
}

export const DEFAULT_TIMINGS: DeliveryTimings = {
	insertMs: 100,
	settleMs: 200,
	pollMs: 250,
	beforeEnterMs: 3000,
	unreadableMs: 500,
	unreadableLimitMs: 3000,
	confirmWindowsMs: [3000, 3000, 3000],
	heldCheckMs: 1000,
	lockMs: 20_000,
	renderRecheckMs: 3000,
	retryMs: 500,
};

type Knobs = Pick<
	Config,
	| "PD_POLL_SECONDS"
	| "PD_BEFORE_ENTER_SECONDS"
	| "PD_CONFIRM_WINDOWS"
	| "PD_HELD_CHECK_SECONDS"
	| "MONITOR_PASTE_LOCK_TIMEOUT_SECONDS"
	| "MONITOR_PASTE_RENDER_RECHECK_SECONDS"
>;

/** A knob of 0 means "often", not a loop that never sleeps. */
const SHORTEST_POLL_MS = 20;

/** The defaults with the environment's knobs in place. */
export function timingsOf(config: Knobs): DeliveryTimings {
	return {
		...DEFAULT_TIMINGS,
		pollMs: Math.max(SHORTEST_POLL_MS, config.PD_POLL_SECONDS * 1000),
		beforeEnterMs: config.PD_BEFORE_ENTER_SECONDS * 1000,
		confirmWindowsMs: config.PD_CONFIRM_WINDOWS.map((s) => s * 1000),
		heldCheckMs: Math.max(
			SHORTEST_POLL_MS,
			config.PD_HELD_CHECK_SECONDS * 1000,
		),
		lockMs: config.MONITOR_PASTE_LOCK_TIMEOUT_SECONDS * 1000,
		renderRecheckMs: config.MONITOR_PASTE_RENDER_RECHECK_SECONDS * 1000,
	};
}
