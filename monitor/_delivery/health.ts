/** Is the watcher able to deliver at all? Counts failures in a row that are its own (contract 04 §6.4, 01 §14). */
import type { EmitDelivery } from "../_state/emit-delivery.ts";
import type { PasteRc } from "./paste-result.ts";

export interface DeliveryHealth {
	readonly next: EmitDelivery;
	/** For the operator, or null. */
	readonly alert: string | null;
	/** The limit is reached: ask for the watcher's own restart, which has guards of its own. */
	readonly restart: boolean;
}

/**
 * Pure. `now` in epoch seconds; `limit` = `monitor.watcher.delivery_fail_limit`. No window, no agent
 * and a draft in the box (2, 5, 7) are facts about the orchestrator and count for nothing.
 */
export function nextDeliveryState(
	prev: EmitDelivery,
	rc: PasteRc,
	limit: number,
	now: number,
): DeliveryHealth {
	if (rc === 0)
		return { next: { lastAt: now, failures: 0 }, alert: null, restart: false };
	if (rc === 2 || rc === 5 || rc === 7)
		return { next: prev, alert: null, restart: false };
	const failures = prev.failures + 1;
	return {
		next: { ...prev, failures },
		alert: `emit delivery failed (paste rc=${rc}), ${failures} in a row (limit ${limit})`,
		restart: failures >= limit,
	};
}
