/** What the configuration says of usage limits, in seconds (contract 04 §18). */
import type { Config } from "../../../config/schema.ts";

export interface LimitSettings {
	readonly wakeMargin: number;
	readonly initialBackoff: number;
	readonly maxBackoff: number;
	readonly maxAttempts: number;
	readonly maxHold: number;
	readonly observationStaleness: number;
	readonly resumeSuppression: number;
	readonly alertAfter: number;
	readonly reminderEvery: number;
}

/** From `monitor.over_limit.*`. */
export function limitSettings(config: Config): LimitSettings {
	return {
		wakeMargin: config["monitor.over_limit.wake_margin_seconds"],
		initialBackoff: config["monitor.over_limit.initial_backoff_seconds"],
		maxBackoff: config["monitor.over_limit.max_backoff_seconds"],
		maxAttempts: config["monitor.over_limit.max_attempts"],
		maxHold: config["monitor.over_limit.max_hold_seconds"],
		observationStaleness:
			config["monitor.over_limit.observation_staleness_seconds"],
		resumeSuppression: config["monitor.over_limit.resume_suppression_seconds"],
		alertAfter: config["monitor.over_limit.suppression_alert_seconds"],
		reminderEvery: config["monitor.over_limit.suppression_reminder_seconds"],
	};
}
