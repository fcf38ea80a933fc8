/** Idle workers, background work, retained windows, receipts, recovery (contract 07 §11.5). */
import { bool, integer, seconds } from "../leaves.ts";

export const workers = {
	"monitor.idle_threshold_seconds": seconds(60, {
		min: 1,
		env: "MONITOR_IDLE_THRESHOLD_SECONDS",
		doc: "Age of the last engagement before a window counts as idle.",
	}),
	"monitor.idle_close_hours": integer(24, {
		min: 1,
		unit: "hours",
		env: "MONITOR_IDLE_CLOSE_HOURS",
		doc: "Idle this long is reported as idle-too-long.",
	}),
	"monitor.idle_pool_spawn_grace_seconds": seconds(120, {
		env: "MONITOR_IDLE_POOL_SPAWN_GRACE_SECONDS",
		doc: "A window spawned this recently is not idle.",
	}),
	"monitor.operator_engaged_grace_seconds": seconds(1800, {
		env: "MONITOR_OPERATOR_ENGAGED_GRACE_SECONDS",
		doc: "Operator input this recent protects a window.",
	}),
	"monitor.operator_engaged_close_reminder_seconds": seconds(86400, {
		env: "MONITOR_OPERATOR_ENGAGED_CLOSE_REMINDER_SECONDS",
		doc: "Period of the reminder for such a window.",
	}),
	"monitor.operator_engaged_change_ttl_seconds": seconds(600, {
		env: "MONITOR_OPERATOR_ENGAGED_CHANGE_TTL_SECONDS",
		doc: "How fresh an operator's submit must be.",
	}),
	"monitor.background_orphan_grace_seconds": seconds(3600, {
		env: "MONITOR_BACKGROUND_ORPHAN_GRACE_SECONDS",
		doc: "Idle with background work and no result for this long is reported.",
	}),
	"monitor.background_children_grace_base_seconds": seconds(3600, {
		min: 1,
		env: "MONITOR_BG_CHILDREN_GRACE_BASE_SECONDS",
		doc: "First time to ask again about live children.",
	}),
	"monitor.background_children_backoff_multiplier": integer(2, {
		min: 1,
		env: "MONITOR_BG_CHILDREN_BACKOFF_MULT",
		doc: "Growth of that time.",
	}),
	"monitor.background_children_interval_cap_seconds": seconds(21600, {
		env: "MONITOR_BG_CHILDREN_INTERVAL_CAP_SECONDS",
		doc: "Largest such time.",
	}),
	"monitor.background_children_grace_ceiling_seconds": seconds(172800, {
		env: "MONITOR_BG_CHILDREN_GRACE_CEILING_SECONDS",
		doc: "Patience in all.",
	}),
	"monitor.worker_health_slack_seconds": seconds(600, {
		env: "MONITOR_WORKER_HEALTH_SLACK_SECONDS",
		doc: "Slack past a wait that a worker declared.",
	}),
	"monitor.retain_ttl_seconds": seconds(86400, {
		env: "MONITOR_RETAIN_TTL_SECONDS",
		doc: "How long a retained window stays valid.",
	}),
	"monitor.retain.use_loop_wrapper": bool(false, {
		env: "MONITOR_RETAIN_USE_LOOP_WRAPPER",
		doc: "Run workers inside the loop wrapper.",
	}),
	"monitor.report_min_chars": integer(500, {
		env: "MONITOR_REPORT_MIN_CHARS",
		envDigitsOnly: true,
		unit: "characters",
		doc: "A shorter report is a stub.",
	}),
	"monitor.paste_confirm_timeout_seconds": seconds(20, {
		min: 1,
		env: "PASTE_CONFIRM_TIMEOUT_SECONDS",
		doc: "How long a follow-up waits for the receipt of its submit.",
	}),
	"monitor.paste_confirm_grace_seconds": seconds(180, {
		env: "MONITOR_PASTE_CONFIRM_GRACE_SECONDS",
		doc: "A window with an unconfirmed paste this recent is not idle.",
	}),
	"recover.max_workers": integer(12, {
		env: "RECOVER_MAX_WORKERS",
		doc: "Workers resumed in one recovery.",
	}),
	"recover.boot_intent_ttl_seconds": seconds(900, {
		env: "RECOVER_BOOT_INTENT_TTL",
		doc: "How long an intent to boot stays valid.",
	}),
};
