/** Dialogs, permission prompts, usage limits, log-outs (contract 07 §11.9). */
import { bool, integer, oneOf, patterns, seconds, str } from "../leaves.ts";

/** The vetoes that need no regular expression of the operator's (contract 04 §8.3). */
export const BUILT_IN_VETOES = [
	"@force-push",
	"@recursive-delete",
	"@disk-tools",
	"@credential-files",
	"@package-publish",
] as const;

export const unstick = {
	"monitor.watcher.auto_unstick": bool(true, {
		env: "MONITOR_AUTO_UNSTICK",
		doc: "Answer the prompts that hold an unattended pane up.",
	}),
	"monitor.watcher.on_dialog": oneOf(
		"auto-dismiss",
		["auto-dismiss", "skip", "error"],
		{
			env: "MONITOR_ON_DIALOG",
			doc: "A dialog is open where the watcher wants to paste.",
		},
	),
	"monitor.watcher.on_permission": oneOf("enter", ["enter", "relay"], {
		env: "MONITOR_ON_PERMISSION",
		doc: "A worker asks for permission: accept the one-time yes unless vetoed, or always hand it on.",
	}),
	"monitor.watcher.permission_veto": patterns(BUILT_IN_VETOES, {
		doc: "A match in the command shown presses no key and becomes a pending decision. A list replaces this one; [] vetoes nothing.",
	}),
	"monitor.watcher.worker_askuq_grace_seconds": seconds(300, {
		zeroDisables: true,
		env: "MONITOR_WORKER_ASKUQ_GRACE_SECONDS",
		doc: "A worker's question seen this long is handed on.",
	}),
	"monitor.watcher.ratelimit_probe": bool(false, {
		env: "MONITOR_RATELIMIT_PROBE",
		doc: "Ask the API for the reset time; needs ANTHROPIC_API_KEY.",
	}),
	"monitor.watcher.probe_model": str("claude-haiku-4-5-20251001", {
		env: "MONITOR_PROBE_MODEL",
		doc: "Model of that probe.",
	}),
	"monitor.watcher.ratelimit_heuristic_minutes": integer(30, {
		min: 1,
		unit: "minutes",
		env: "MONITOR_RATELIMIT_HEURISTIC_MIN",
		doc: "Assumed wait when no reset time is known.",
	}),
	"monitor.watcher.ratelimit_ack_timeout_s": seconds(60, {
		min: 1,
		env: "MONITOR_RATELIMIT_ACK_TIMEOUT_S",
		doc: "How long to wait for the orchestrator's acknowledgement.",
	}),
	"monitor.over_limit.wake_margin_seconds": seconds(300, {
		env: "MONITOR_OVER_LIMIT_WAKE_MARGIN_SECONDS",
		doc: "Added to a reset time.",
	}),
	"monitor.over_limit.initial_backoff_seconds": seconds(60, {
		min: 1,
		env: "MONITOR_OVER_LIMIT_INITIAL_BACKOFF_SECONDS",
		doc: "First gap between attempts to wake.",
	}),
	"monitor.over_limit.max_backoff_seconds": seconds(300, {
		min: 1,
		env: "MONITOR_OVER_LIMIT_MAX_BACKOFF_SECONDS",
		doc: "Largest such gap.",
	}),
	"monitor.over_limit.max_attempts": integer(4, {
		min: 1,
		env: "MONITOR_OVER_LIMIT_MAX_ATTEMPTS",
		doc: "Attempts to wake.",
	}),
	"monitor.over_limit.max_hold_seconds": seconds(90000, {
		env: "MONITOR_OVER_LIMIT_MAX_HOLD_SECONDS",
		doc: "Longest hold without a known reset.",
	}),
	"monitor.over_limit.observation_staleness_seconds": seconds(600, {
		env: "MONITOR_OVER_LIMIT_OBSERVATION_STALENESS_SECONDS",
		doc: "Age at which a sighting of a limit counts for nothing.",
	}),
	"monitor.over_limit.suppression_alert_seconds": seconds(900, {
		env: "MONITOR_OVER_LIMIT_SUPPRESSION_ALERT_SECONDS",
		doc: "Emits suppressed for this long raise an alert.",
	}),
	"monitor.over_limit.suppression_reminder_seconds": seconds(3600, {
		env: "MONITOR_OVER_LIMIT_SUPPRESSION_REMINDER_SECONDS",
		doc: "That alert is repeated after this.",
	}),
	"monitor.over_limit.resume_suppression_seconds": seconds(300, {
		env: "MONITOR_OVER_LIMIT_RESUME_SUPPRESSION_SECONDS",
		doc: "Quiet after a wake.",
	}),
	"monitor.watcher.auth_hold.enabled": bool(true, {
		env: "MONITOR_AUTH_HOLD_ENABLED",
		doc: "Hold back while logged out.",
		unread:
			"nothing waits for a log-in but monitor.watcher.turn_failure_gate_seconds",
	}),
	"monitor.watcher.auth_hold.escape_after_seconds": seconds(3600, {
		env: "MONITOR_AUTH_HOLD_ESCAPE_AFTER_SECONDS",
		doc: "Give one paste a try after this.",
		unread:
			"nothing waits for a log-in but monitor.watcher.turn_failure_gate_seconds",
	}),
	"monitor.watcher.auth_hold.active_grace_seconds": seconds(300, {
		env: "MONITOR_AUTH_HOLD_ACTIVE_GRACE_SECONDS",
		doc: "Activity this recent proves a login.",
		unread:
			"nothing waits for a log-in but monitor.watcher.turn_failure_gate_seconds",
	}),
	"monitor.watcher.auth_hold.max_hold_seconds": seconds(7200, {
		env: "MONITOR_AUTH_HOLD_MAX_HOLD_SECONDS",
		doc: "Longest hold.",
		unread:
			"nothing waits for a log-in but monitor.watcher.turn_failure_gate_seconds",
	}),
	"monitor.watcher.auth_hold.observation_staleness_seconds": seconds(600, {
		env: "MONITOR_AUTH_HOLD_OBSERVATION_STALENESS_SECONDS",
		doc: "Age at which a sighting of a log-out counts for nothing.",
		unread:
			"nothing waits for a log-in but monitor.watcher.turn_failure_gate_seconds",
	}),
	"monitor.watcher.operator_alert.push_enabled": bool(true, {
		env: "MONITOR_OPERATOR_ALERT_PUSH_ENABLED",
		doc: "Alert by push.",
		unread: "alarms go out by notifications.* alone",
	}),
	"monitor.watcher.operator_alert.github_enabled": bool(true, {
		env: "MONITOR_OPERATOR_ALERT_GITHUB_ENABLED",
		doc: "Alert on GitHub.",
		unread: "alarms go out by notifications.* alone",
	}),
	"monitor.watcher.operator_alert.reminder_seconds": seconds(3600, {
		env: "MONITOR_OPERATOR_ALERT_REMINDER_SECONDS",
		doc: "An alert is repeated after this.",
		unread: "alarms go out by notifications.* alone",
	}),
	"monitor.watcher.operator_alert.clear_holddown_seconds": seconds(300, {
		env: "MONITOR_OPERATOR_ALERT_CLEAR_HOLDDOWN_SECONDS",
		doc: "An alert clears after this much calm.",
		unread: "alarms go out by notifications.* alone",
	}),
	"monitor.watcher.operator_alert.comment_interval_seconds": seconds(3600, {
		env: "MONITOR_OPERATOR_ALERT_COMMENT_INTERVAL_SECONDS",
		doc: "Smallest gap between two comments.",
		unread: "alarms go out by notifications.* alone",
	}),
	"monitor.watcher.operator_alert.net_timeout_seconds": seconds(60, {
		env: "MONITOR_OPERATOR_ALERT_NET_TIMEOUT_SECONDS",
		doc: "Deadline of an alert's request.",
		unread: "alarms go out by notifications.* alone",
	}),
};
