/** Context rotation, reviewers and the request inbox (contract 07 §11.5, second half). */
import { bool, integer, seconds, unset } from "../leaves.ts";

export const channels = {
	"monitor.context_rotation.orchestrator_tokens": integer(250000, {
		zeroDisables: true,
		unit: "tokens",
		env: "MONITOR_CONTEXT_ROTATION_ORCHESTRATOR_TOKENS",
		doc: "Advise the orchestrator to rotate above this.",
	}),
	"monitor.context_rotation.limit_tokens": integer(1000000, {
		min: 1,
		unit: "tokens",
		env: "MONITOR_CONTEXT_ROTATION_LIMIT_TOKENS",
		doc: "Context size that percentages refer to.",
	}),
	"monitor.context_rotation.enabled": bool(true, {
		env: "MONITOR_CONTEXT_ROTATION_ENABLED",
		doc: "Let the watcher probe for context rotation.",
		unread:
			"the watcher measures nobody's context; ng context does, when it is asked",
	}),
	"monitor.context_rotation.worker_tokens": integer(250000, {
		unit: "tokens",
		env: "MONITOR_CONTEXT_ROTATION_WORKER_TOKENS",
		doc: "Advise a worker to rotate above this.",
		unread:
			"the watcher measures nobody's context; ng context does, when it is asked",
	}),
	"monitor.context_rotation.probe_interval_seconds": seconds(120, {
		env: "MONITOR_CONTEXT_PROBE_INTERVAL_SECONDS",
		doc: "Cadence of the probe.",
		unread:
			"the watcher measures nobody's context; ng context does, when it is asked",
	}),
	"monitor.context_rotation.probe_stale_seconds": seconds(600, {
		env: "MONITOR_CONTEXT_PROBE_STALE_SECONDS",
		doc: "Age at which a probe counts for nothing.",
		unread:
			"the watcher measures nobody's context; ng context does, when it is asked",
	}),
	"monitor.context_rotation.scan_interval_seconds": seconds(300, {
		env: "MONITOR_CONTEXT_SCAN_INTERVAL_SECONDS",
		doc: "Cadence of the scan over workers.",
		unread:
			"the watcher measures nobody's context; ng context does, when it is asked",
	}),
	"monitor.context_rotation.scan_stale_seconds": seconds(1800, {
		env: "MONITOR_CONTEXT_SCAN_STALE_SECONDS",
		doc: "Age at which a scan counts for nothing.",
		unread:
			"the watcher measures nobody's context; ng context does, when it is asked",
	}),
	"monitor.skeptic.enforce_auto_decision": bool(true, {
		env: "MONITOR_SKEPTIC_ENFORCE_AUTO_DECISION",
		doc: "A worker in auto mode must decide.",
	}),
	"monitor.skeptic.rewrap_guard": bool(true, {
		env: "MONITOR_SKEPTIC_REWRAP_GUARD",
		doc: "Refuse a second wrap-up of one round.",
	}),
	"monitor.skeptic.findings_threshold": integer(1, {
		env: "MONITOR_SKEPTIC_FINDINGS_THRESHOLD",
		doc: "Findings that call for another round.",
	}),
	"monitor.skeptic.max_depth": integer(3, {
		env: "MONITOR_SKEPTIC_MAX_DEPTH",
		doc: "Rounds of review.",
	}),
	"monitor.skeptic.await_timeout_seconds": seconds(900, {
		env: "MONITOR_SKEPTIC_AWAIT_TIMEOUT_SECONDS",
		doc: "How long to wait for the reviewer.",
	}),
	"monitor.skeptic.await_interval_seconds": seconds(5, {
		min: 1,
		env: "MONITOR_SKEPTIC_AWAIT_INTERVAL_SECONDS",
		doc: "Period of that poll.",
	}),
	"monitor.skeptic.await_hang_seconds": seconds(600, {
		env: "MONITOR_SKEPTIC_AWAIT_HANG_SECONDS",
		doc: "Age of a marker beyond which parked no longer means waiting.",
	}),
	"monitor.skeptic.orphan_grace_seconds": seconds(600, {
		env: "MONITOR_SKEPTIC_ORPHAN_GRACE_SECONDS",
		doc: "Patience with a young request whose reviewer is absent.",
	}),
	"monitor.requests.enabled": bool(true, {
		env: "MONITOR_REQUESTS_ENABLED",
		doc: "The inbox for requests of workers.",
	}),
	"monitor.requests.dir": unset("path", {
		absolute: true,
		env: "NEXUS_REQUESTS_DIR",
		doc: "The inbox elsewhere; unset is <state>/requests.",
	}),
	"monitor.requests.reemit_cooldown_seconds": seconds(300, {
		env: "MONITOR_REQUESTS_REEMIT_COOLDOWN_SECONDS",
		doc: "A request is named again after this.",
	}),
	"monitor.requests.max_per_emit": integer(10, {
		min: 1,
		env: "MONITOR_REQUESTS_MAX_PER_EMIT",
		doc: "Requests in one emit.",
	}),
	"monitor.requests.fairness": bool(true, {
		env: "MONITOR_REQUESTS_FAIRNESS",
		doc: "Take turns between the windows that ask.",
	}),
	"monitor.requests.max_age_seconds": seconds(259200, {
		env: "MONITOR_REQUESTS_MAX_AGE_SECONDS",
		doc: "Claimed and never acknowledged for this long is failed.",
	}),
	"monitor.requests.retention_seconds": seconds(259200, {
		env: "MONITOR_REQUESTS_RETENTION_SECONDS",
		doc: "How long done and failed requests are kept.",
	}),
};
