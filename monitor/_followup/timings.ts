/** How long a follow-up waits for its proof (contract 04 §7). Pure. */
import type { Config } from "../../config/schema.ts";
import { type DeliveryTimings, timingsOf } from "../_delivery/timings.ts";

/** Share of the whole wait that belongs to each Enter. */
const SHARES = [0.4, 0.6];
const SHORTEST_WINDOW_MS = 1000;
const SHORTEST_POLL_MS = 20;

/** `confirmTimeout`: seconds; null: as configured. */
export function followupTimings(
	config: Config,
	confirmTimeout: number | null,
): DeliveryTimings {
	const seconds =
		confirmTimeout ?? config["monitor.paste_confirm_timeout_seconds"];
	return {
		...timingsOf(config),
		confirmWindowsMs: SHARES.map((share) =>
			Math.max(SHORTEST_WINDOW_MS, Math.round(seconds * 1000 * share)),
		),
		pollMs: Math.max(
			SHORTEST_POLL_MS,
			config.PASTE_CONFIRM_POLL_SECONDS * 1000,
		),
	};
}
