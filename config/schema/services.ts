/** Service health, version drift, updates of Claude Code, the archive (contract 07 §11.10). */
import {
	bool,
	hhmm,
	integer,
	issue,
	oneOf,
	seconds,
	str,
	unset,
} from "../leaves.ts";

export const services = {
	"monitor.service_health.enabled": bool(true, {
		env: "MONITOR_SERVICE_HEALTH_ENABLED",
		doc: "Check the services and act on what is found.",
	}),
	"monitor.service_health.interval_seconds": seconds(120, {
		zeroDisables: true,
		env: "MONITOR_SERVICE_HEALTH_INTERVAL_SECONDS",
		doc: "Cadence of that check.",
	}),
	"monitor.service_health.grace_seconds": seconds(30, {
		env: "MONITOR_SERVICE_HEALTH_GRACE_SECONDS",
		doc: "How long a service may be down before that counts; 0 acts at once.",
	}),
	"monitor.service_health.default_policy": oneOf(
		"auto-restart",
		["auto-restart", "emit-only"],
		{
			env: "MONITOR_SERVICE_HEALTH_DEFAULT_POLICY",
			doc: "Policy of a service that names none.",
		},
	),
	"monitor.service_health.restart_cooldown_seconds": seconds(300, {
		env: "MONITOR_SERVICE_HEALTH_RESTART_COOLDOWN_SECONDS",
		doc: "Smallest gap between two restarts of a service.",
	}),
	"monitor.service_health.flap_ceiling": integer(3, {
		min: 1,
		env: "MONITOR_SERVICE_HEALTH_FLAP_CEILING",
		doc: "Restarts without lasting health before it is left to the operator.",
	}),
	"monitor.service_health.cold_build_ceiling_seconds": seconds(1800, {
		env: "MONITOR_SERVICE_HEALTH_COLD_BUILD_CEILING_SECONDS",
		doc: "Longest first build.",
		unread: "nothing waits for a service that is still being built",
	}),
	"monitor.version_restart.enabled": bool(true, {
		env: "MONITOR_VERSION_RESTART_ENABLED",
		doc: "Restart what runs an older version than the checkout.",
	}),
	"monitor.version_restart.interval_seconds": seconds(60, {
		zeroDisables: true,
		env: "MONITOR_VERSION_CHECK_INTERVAL_SECONDS",
		doc: "Cadence of the version check.",
	}),
	"monitor.version_restart.settle_seconds": seconds(45, {
		env: "MONITOR_VERSION_SETTLE_SECONDS",
		doc: "How long the checkout must be still.",
	}),
	"monitor.version_restart.cooldown_seconds": seconds(600, {
		env: "MONITOR_VERSION_RESTART_COOLDOWN_SECONDS",
		doc: "Smallest gap between two restarts.",
	}),
	"monitor.version_restart.self": bool(true, {
		env: "MONITOR_VERSION_SELF_RESTART",
		doc: "Restart the watcher itself.",
	}),
	"monitor.version_restart.services": bool(true, {
		env: "MONITOR_VERSION_SERVICE_RESTART",
		doc: "Restart services.",
	}),
	"monitor.version_restart.self_loop_limit": integer(3, {
		min: 1,
		env: "MONITOR_VERSION_SELF_LOOP_LIMIT",
		doc: "Restarts of the watcher in one window.",
	}),
	"monitor.version_restart.self_loop_window_seconds": seconds(3600, {
		min: 1,
		env: "MONITOR_VERSION_SELF_LOOP_WINDOW_SECONDS",
		doc: "That window.",
	}),
	"monitor.clone_drift.enabled": bool(true, {
		env: "MONITOR_CLONE_DRIFT_ENABLED",
		doc: "Report a checkout that falls behind.",
	}),
	"monitor.clone_drift.interval_seconds": seconds(3600, {
		zeroDisables: true,
		env: "MONITOR_CLONE_DRIFT_INTERVAL_SECONDS",
		doc: "Cadence of that check.",
	}),
	"monitor.clone_drift.commits": integer(5, {
		min: 1,
		unit: "commits",
		env: "MONITOR_CLONE_DRIFT_COMMITS",
		doc: "Behind by this many is reported.",
	}),
	"monitor.clone_drift.hours": integer(24, {
		min: 1,
		unit: "hours",
		env: "MONITOR_CLONE_DRIFT_HOURS",
		doc: "Behind for this long is reported.",
	}),
	"monitor.clone_drift.timeout_seconds": seconds(30, {
		min: 1,
		env: "MONITOR_CLONE_DRIFT_TIMEOUT_SECONDS",
		doc: "Bound of one look.",
	}),
	"monitor.integration_branch": str("dev", {
		derived: "dev, or monitor.clone_drift.branch",
		env: "MONITOR_INTEGRATION_BRANCH",
		doc: "Branch that the checkout follows.",
	}),
	"monitor.clone_drift.branch": unset("string", {
		env: "MONITOR_CLONE_DRIFT_BRANCH",
		doc: "Default of monitor.integration_branch.",
		deprecated: "use monitor.integration_branch",
		notInTemplate: "deprecated",
	}),
	"monitor.cc_update.interval_seconds": seconds(86400, {
		zeroDisables: true,
		env: "MONITOR_CC_UPDATE_INTERVAL_SECONDS",
		doc: "Cadence of the look for a new Claude Code.",
	}),
	"monitor.cc_update.emit_enabled": bool(false, {
		env: "MONITOR_CC_UPDATE_EMIT_ENABLED",
		doc: "Say so in an emit.",
	}),
	"monitor.cc_update.package": str("@anthropic-ai/claude-code", {
		env: "MONITOR_CC_UPDATE_PACKAGE",
		doc: "Its package.",
	}),
	"monitor.cc_update.skill_path": str("skills/nexus.cc-update/GUIDE.md", {
		env: "MONITOR_CC_UPDATE_SKILL_PATH",
		doc: "Guide that the emit names.",
	}),
	"monitor.cc_update.fetch_timeout_seconds": seconds(10, {
		min: 1,
		env: "MONITOR_CC_UPDATE_FETCH_TIMEOUT_SECONDS",
		doc: "Deadline of the request to the registry.",
	}),
	"monitor.cc_auto_update.enabled": bool(false, {
		env: "MONITOR_CC_AUTO_UPDATE_ENABLED",
		doc: "Update Claude Code at night.",
		template: true,
	}),
	"monitor.cc_auto_update.fire_time": hhmm("04:00", {
		env: "MONITOR_CC_AUTO_UPDATE_FIRE_TIME",
		doc: "Local time of day at which it starts.",
	}),
	"monitor.cc_auto_update.check_interval_seconds": seconds(300, {
		zeroDisables: true,
		env: "MONITOR_CC_AUTO_UPDATE_CHECK_INTERVAL_SECONDS",
		doc: "How often the clock is looked at.",
	}),
	"monitor.cc_auto_update.tracking_issue": issue("", {
		env: "MONITOR_CC_AUTO_UPDATE_TRACKING_ISSUE",
		doc: "Issue that tracks updates: a number or owner/repo#n; empty is none.",
	}),
	"monitor.cc_auto_update.max_live_windows": integer(8, {
		env: "CC_AUTO_MAX_LIVE_WINDOWS",
		doc: "Live windows with which an update may still be applied.",
	}),
	"monitor.reports_roll.enabled": bool(true, {
		env: "MONITOR_REPORTS_ROLL_ENABLED",
		doc: "Move old reports into monthly folders.",
	}),
	"monitor.reports_roll.interval_seconds": seconds(3600, {
		zeroDisables: true,
		env: "MONITOR_REPORTS_ROLL_INTERVAL_SECONDS",
		doc: "Cadence of that.",
	}),
	"monitor.reports_roll.min_age_seconds": seconds(300, {
		env: "MONITOR_REPORTS_ROLL_MIN_AGE_SECONDS",
		doc: "A file changed more recently stays.",
	}),
};
