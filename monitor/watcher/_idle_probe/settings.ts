/** What the probe is told (contract 03 §17). All times in seconds. */
import type { WatcherConfig } from "../../../config/watcher.ts";
import type { ChildrenPatience } from "./children.ts";

export interface IdleSettings {
	/** Idle for less is no news. */
	readonly threshold: number;
	/** Idle for longer is worth closing. */
	readonly close: number;
	/** After a spawn nothing is said of the window. */
	readonly spawnGrace: number;
	readonly retainTtl: number;
	/** Without a sign of the operator for longer, his mark is not refreshed any more. */
	readonly engagedGrace: number;
	readonly reminderPeriod: number;
	/** A pane that stands still for longer ends the operator's mark. */
	readonly changeTtl: number;
	/** A submit this soon after an input of ours is ours. */
	readonly inputSlack: number;
	readonly pasteConfirmGrace: number;
	/** Background shells that use no processor for longer have stalled. */
	readonly backgroundGrace: number;
	readonly failureFreshness: number;
	readonly reportMinBytes: number;
	readonly children: ChildrenPatience;
}

/** From `monitor.idle_*`, `monitor.operator_engaged_*`, `monitor.background_*` and their like. */
export function idleSettings(config: WatcherConfig): IdleSettings {
	return {
		threshold: config["monitor.idle_threshold_seconds"],
		close: config["monitor.idle_close_hours"] * 3600,
		spawnGrace: config["monitor.idle_pool_spawn_grace_seconds"],
		retainTtl: config["monitor.retain_ttl_seconds"],
		engagedGrace: config["monitor.operator_engaged_grace_seconds"],
		reminderPeriod: config["monitor.operator_engaged_close_reminder_seconds"],
		changeTtl: config["monitor.operator_engaged_change_ttl_seconds"],
		inputSlack: config.MONITOR_OPERATOR_ENGAGED_INPUT_SLACK_SECONDS,
		pasteConfirmGrace: config["monitor.paste_confirm_grace_seconds"],
		backgroundGrace: config["monitor.background_orphan_grace_seconds"],
		failureFreshness: config.MONITOR_TURN_FAILURE_STALENESS_SECONDS,
		reportMinBytes: config["monitor.report_min_chars"],
		children: {
			first: config["monitor.background_children_grace_base_seconds"],
			growth: config["monitor.background_children_backoff_multiplier"],
			longest: config["monitor.background_children_interval_cap_seconds"],
			ceiling: config["monitor.background_children_grace_ceiling_seconds"],
			healthSlack: config["monitor.worker_health_slack_seconds"],
		},
	};
}
