/** A draft keeps our reports out of the box: counted, and said aloud when it lasts (contract 04 §6.5). */

import {
	type PasteDeferral,
	readDeferral,
	readDeferralAlerted,
	removeDeferral,
	writeDeferral,
	writeDeferralAlerted,
} from "../_state/paste-deferral.ts";
import type { Clock, Files } from "../_sys/doors.ts";

export interface DeferralDeps {
	readonly doors: { readonly files: Files; readonly clock: Clock };
	readonly stateDir: string;
	/** `MONITOR_PASTE_DEFERRAL_ALERT_COUNT`. */
	readonly alertCount: number;
	/** `MONITOR_PASTE_DEFERRAL_ALERT_SECONDS`. */
	readonly alertSeconds: number;
	readonly alert: (msg: string) => void;
}

const ALERT_EVERY_SECONDS = 3600;

/**
 * Counts one refusal. A human who walked away in mid-sentence would otherwise withhold every later
 * report in silence.
 */
export function noteDeferral(deps: DeferralDeps, window: string): void {
	const { files, clock } = deps.doors;
	const now = clock.now();
	const prev = readDeferral(files, deps.stateDir, window);
	const alertedAt = readDeferralAlerted(files, deps.stateDir, window);
	const { next, alert } = decideDeferral(prev, alertedAt, now, deps);
	writeDeferral(files, deps.stateDir, window, next);
	if (!alert) return;
	writeDeferralAlerted(files, deps.stateDir, window, now);
	const minutes = Math.floor((now - next.firstAt) / 60);
	deps.alert(
		`window ${window}: ${next.count} pastes withheld over ${minutes}m, somebody's text is in its input box`,
	);
}

/** Any delivery to the window ends the episode. */
export function resetDeferral(deps: DeferralDeps, window: string): void {
	removeDeferral(deps.doors.files, deps.stateDir, window);
}

/** Pure; times in epoch seconds. At most one alert an hour. */
export function decideDeferral(
	prev: PasteDeferral | null,
	alertedAt: number | null,
	now: number,
	limits: { readonly alertCount: number; readonly alertSeconds: number },
): { readonly next: PasteDeferral; readonly alert: boolean } {
	const credible = prev !== null && prev.firstAt <= now ? prev.firstAt : now;
	const next = { count: (prev?.count ?? 0) + 1, firstAt: credible };
	const due =
		next.count >= limits.alertCount &&
		now - next.firstAt >= limits.alertSeconds;
	const quiet =
		alertedAt !== null &&
		alertedAt <= now &&
		now - alertedAt < ALERT_EVERY_SECONDS;
	return { next, alert: due && !quiet };
}
