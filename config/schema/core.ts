/** The watcher's loop, its heartbeat, its logs and its snapshot (contract 07 §11.4). */
import { bool, bytes, integer, seconds, str, windowName } from "../leaves.ts";

export const core = {
	"monitor.interval_seconds": seconds(60, {
		min: 1,
		env: ["MONITOR_INTERVAL", "MONITOR_INTERVAL_SECONDS"],
		recoverEnv: "RECOVER_INTERVAL",
		doc: "Cadence of compose_emit; base of the liveness thresholds.",
	}),
	"monitor.target_window": windowName("orchestrator", {
		env: "MONITOR_TARGET",
		recoverEnv: "RECOVER_TARGET_WINDOW",
		doc: "tmux window that the watcher pastes into.",
	}),
	"monitor.target_window_index": integer(2, {
		env: "RECOVER_ORCH_WINDOW_INDEX",
		doc: "Index that recovery pins the target window to.",
	}),
	"monitor.services_window": str("services", {
		env: "MONITOR_SERVICES_WINDOW",
		doc: "Cockpit window, never a worker.",
	}),
	"monitor.cockpit_window": str("services", {
		env: "MONITOR_COCKPIT_WINDOW",
		doc: "Window checked for drift of the cockpit.",
	}),
	"monitor.diff_retention_days": integer(7, {
		min: 1,
		unit: "days",
		env: "DIFF_RETENTION_DAYS",
		doc: "Age limit of archived emits.",
	}),
	"monitor.diff_max_files": integer(20000, {
		zeroDisables: true,
		env: "MONITOR_DIFF_MAX_FILES",
		doc: "Count limit of archived emits.",
	}),
	"monitor.diff_prune_max_per_run": integer(5000, {
		min: 1,
		env: "MONITOR_DIFF_PRUNE_MAX_PER_RUN",
		doc: "Archived emits deleted in one run at most.",
	}),
	"monitor.scheduler.max_sleep_seconds": seconds(10, {
		min: 1,
		env: "MONITOR_SCHEDULER_MAX_SLEEP",
		doc: "Cap on one sleep of the loop.",
	}),
	"monitor.scheduler.async_timeout_floor_seconds": seconds(300, {
		zeroDisables: true,
		env: "MONITOR_SCHEDULER_ASYNC_TIMEOUT_FLOOR",
		doc: "Smallest deadline of an async task.",
	}),
	"monitor.scheduler.log_max_bytes": bytes(52428800, {
		zeroDisables: true,
		env: "MONITOR_SCHEDULER_LOG_MAX_BYTES",
		doc: "Scheduler telemetry is rotated above this.",
	}),
	"monitor.state_log_max_bytes": bytes(10485760, {
		zeroDisables: true,
		env: "MONITOR_STATE_LOG_MAX_BYTES",
		doc: "Other state logs are rotated above this.",
	}),
	"monitor.notifications_log_max_bytes": bytes(10485760, {
		zeroDisables: true,
		env: "MONITOR_NOTIFICATIONS_LOG_MAX_BYTES",
		doc: "Logs of the hooks are rotated above this.",
	}),
	"monitor.instance_heartbeat_staleness_seconds": seconds(600, {
		min: 1,
		env: "NEXUS_INSTANCE_HEARTBEAT_STALENESS",
		doc: "Age of a beacon beyond which a holder on another machine is dead.",
	}),
	"monitor.heartbeat_staleness_seconds": seconds(30, {
		env: "MONITOR_HEARTBEAT_STALENESS_SECONDS",
		doc: "How long the state that a worker's hook wrote is trusted.",
	}),
	"monitor.heartbeat_turn_end_staleness_seconds": seconds(1800, {
		doc: "How long an idle written at the end of a turn is trusted.",
	}),
	"monitor.watcher.heartbeat_tick_seconds": seconds(20, {
		min: 1,
		env: "MONITOR_HEARTBEAT_TICK_SECONDS",
		doc: "Period of the watcher's heartbeat, whatever the loop is doing.",
	}),
	"monitor.startup_render_timeout_seconds": seconds(20, {
		min: 1,
		env: "MONITOR_STARTUP_RENDER_TIMEOUT_SECONDS",
		doc: "Budget of the render at start, before windows are counted.",
	}),
	"monitor.render_seconds_per_window": seconds(2, {
		env: "MONITOR_RENDER_SECONDS_PER_WINDOW",
		doc: "Added to that budget for each window.",
	}),
	"monitor.snapshot.git_enabled": bool(true, {
		env: "MONITOR_SNAPSHOT_GIT_ENABLED",
		doc: "Include the git state of work/*.",
	}),
	"monitor.snapshot.reports_timeout_seconds": seconds(5, {
		min: 1,
		env: "MONITOR_SNAPSHOT_REPORTS_TIMEOUT_SECONDS",
		doc: "Bound of the listing of reports.",
	}),
	"monitor.snapshot.git_timeout_seconds": seconds(10, {
		min: 1,
		env: "MONITOR_SNAPSHOT_GIT_TIMEOUT_SECONDS",
		doc: "Bound of the git listing.",
	}),
	"monitor.pane_cache.ttl_seconds": seconds(90, {
		env: "MONITOR_PANE_CACHE_TTL_SECONDS",
		doc: "One look at the fleet serves several tasks for so long at most; each says how old a look it takes.",
	}),
	"monitor.boot_verify_timeout": seconds(90, {
		min: 1,
		env: "BOOT_VERIFY_TIMEOUT",
		doc: "How long to wait for a healthy stack after boot.",
	}),
};
