/** Knobs that only the environment sets, each under its own name: no line in the file (contract 07 §11.11). */
import {
	bool,
	decimal,
	decimals,
	integer,
	seconds,
	str,
	unset,
	unsetInteger,
} from "../leaves.ts";

const atLeastOne = (value: number, doc: string) =>
	seconds(value, { min: 1, doc });

export const envOnly = {
	NEXUS_ROOT: unset("path", { doc: "The root; see nexus.root." }),
	NEXUS_STATE_DIR: unset("path", { doc: "The state directory." }),
	NEXUS_CONFIG: unset("path", { doc: "The configuration file." }),
	NEXUS_TEST_NOW: unsetInteger({ doc: "Clock of tests, epoch seconds." }),
	NEXUS_I_ACCEPT_NO_SANDBOX: bool(false, { doc: "Start outside a sandbox." }),
	ANTHROPIC_API_KEY: unset("string", {
		doc: "For the rate-limit probe alone; never logged, never handed on.",
	}),

	NEXUS_SERVICES_REGISTRY: unset("path", { doc: "The list of services." }),
	NEXUS_CC_LOCAL_PIN: unset("path", { doc: "File that pins Claude Code." }),
	NEXUS_TRASH_DIR: unset("path", { doc: "Where replaced packages go." }),
	MONITOR_CC_UPDATE_REGISTRY: str("https://registry.npmjs.org", {
		doc: "Registry that is asked for a new Claude Code.",
	}),
	CLAUDE_BIN: unset("path", { doc: "The Claude Code program." }),
	CLAUDE_INSTALL_USE_CI: bool(false, { doc: "Install with npm ci." }),
	NEXUS_NOTIFY_SUPPRESS_MSG: str("Needs attention", {
		doc: "A worker's notification with this text is dropped.",
	}),
	BOOT_RECOVER_DEBOUNCE_SECONDS: seconds(300, {
		doc: "A recovery this soon after another does nothing.",
	}),
	SVC_REFRESH: atLeastOne(5, "Refresh of the cockpit."),
	SVC_STATUS_HEALTH_TIMEOUT: atLeastOne(20, "Bound of a row's health check."),
	SVC_FORCE: bool(false, {
		doc: "Overrule refusals that protect a build.",
		unread: "no verb of svc refuses for the sake of a build",
	}),
	SVC_ROWS: unsetInteger({ min: 1, doc: "Rows of the cockpit." }),
	SVC_COLS: unsetInteger({ min: 1, doc: "Columns of the cockpit." }),
	SVC_RESTART_ACTOR: str("operator", { doc: "Who asked for the restart." }),
	MONITOR_SERVICE_HEALTH_CHECK_TIMEOUT_SECONDS: atLeastOne(
		60,
		"Bound of a health check.",
	),
	MONITOR_SERVICE_HEALTH_INCONSISTENT_POLLS: integer(3, {
		min: 1,
		doc: "Polls before an inconsistent record is reported.",
	}),
	MONITOR_SERVICE_HEALTH_INCONSISTENT_RENAG_SECONDS: seconds(21600, {
		doc: "That report is repeated after this.",
	}),
	MONITOR_SERVICE_HEALTH_UNKNOWN_ALERT_TICKS: integer(3, {
		min: 1,
		doc: "Checks in a row that could not be made before an alert.",
	}),

	DELIVERIES_MAX_PAGES: integer(5, {
		min: 1,
		doc: "Pages of the delivery log in one poll.",
	}),
	MONITOR_EMIT_SECTION_MAX_LINES: integer(50, {
		doc: "Lines of a section before it is cut.",
	}),
	MONITOR_COMPOSE_FILTER_TIMEOUT_SECONDS: atLeastOne(
		30,
		"Bound of the comment filters.",
	),
	MONITOR_SNAPSHOT_REPORTS_RECENT_N: integer(20, {
		doc: "Reports listed in the snapshot.",
	}),
	MONITOR_PRELUDE_DRY_RUN: bool(false, {
		doc: "Compute the prelude without moving its stamp.",
	}),
	MONITOR_IDLE_RESTAT_WINDOWS: bool(true, {
		doc: "Withhold idle rows of windows that are gone.",
	}),
	MONITOR_REQUESTS_REEMIT_BACKOFF_MAX_SECONDS: seconds(3600, {
		doc: "Largest gap between repeats of a request.",
	}),
	MONITOR_REQUESTS_INTERMEDIATE_MAX_AGE_SECONDS: seconds(60, {
		doc: "Age at which a half-moved request is put back.",
	}),
	MONITOR_REQUESTS_REPLIED_RETENTION_SECONDS: seconds(259200, {
		derived: "monitor.requests.retention_seconds",
		doc: "How long answered requests are kept.",
	}),
	MONITOR_PENDING_PANE_GATE: bool(true, {
		doc: "Show a decision only while its pane still shows it.",
	}),
	MONITOR_PENDING_REAP_DEAD_WINDOWS: bool(true, {
		doc: "Remove decisions of windows that are gone.",
	}),
	MONITOR_PENDING_REAP_MIN_AGE_SECONDS: seconds(900, {
		doc: "But none younger than this.",
	}),
	DECISION_REEMIT_COOLDOWN_SECONDS: seconds(300, {
		doc: "A decision is named again after this.",
	}),
	REPORTS_ROLL_MIN_AGE_SECONDS: seconds(0, {
		doc: "reports-roll by hand: a file changed more recently stays.",
	}),

	MONITOR_SCHEDULER_LOG: unset("path", {
		doc: "Telemetry; unset is <state>/watcher-scheduler.jsonl.",
	}),
	MONITOR_SCHEDULER_STAGE_DIR: unset("path", {
		doc: "Staging; unset is <state>/scheduler-staging.",
	}),
	MONITOR_SCHEDULER_ASYNC_TIMEOUT_BACKOFF_CAP: integer(2, {
		doc: "Doublings of a task's deadline after it hung.",
	}),
	MONITOR_FS_DEGRADED_POLL_SECONDS: atLeastOne(15, "Poll of a sick disk."),
	MONITOR_TURN_FAILURE_STALENESS_SECONDS: seconds(1800, {
		doc: "Age at which a failed turn counts for nothing.",
	}),
	MONITOR_WATCHER_WEDGE_FLOOR_SECONDS: seconds(900, {
		doc: "No progress for less than this is never WEDGED.",
	}),
	MONITOR_WATCHER_WEDGE_MULTIPLIER: integer(4, {
		min: 1,
		doc: "Periods without progress that are WEDGED.",
	}),
	MONITOR_WATCHER_CYCLE_STALL_FLOOR_SECONDS: seconds(1800, {
		doc: "A cycle younger than this is never stalled.",
	}),
	MONITOR_WATCHER_CYCLE_STALL_MULTIPLIER: integer(6, {
		min: 1,
		doc: "Periods without a cycle that are a stall.",
	}),
	MONITOR_LOOP_PERIOD_WARN_MULT: integer(3, {
		min: 1,
		doc: "A loop this many intervals long is slow.",
	}),
	WATCHER_RESTART_LOCK_WAIT: seconds(45, { doc: "Wait for the restart lock." }),
	WATCHER_REPLACE_KILL_WAIT: seconds(10, { doc: "Wait for the old watcher." }),

	MONITOR_OPERATOR_ENGAGED_INPUT_SLACK_SECONDS: seconds(120, {
		doc: "Input this close to a paste of ours is not the operator's.",
	}),
	NEXUS_PANE_BOOT_GRACE_SECONDS: seconds(90, {
		doc: "A pane this young is starting.",
	}),
	MONITOR_OVER_LIMIT_STAMP_TTL_SECONDS: seconds(97200, {
		doc: "Life of a limit stamp without a known reset.",
	}),
	MONITOR_RAW_CAPTURES_ENABLED: bool(true, { doc: "Keep captures as seen." }),
	MONITOR_ORPHAN_ASYNC_ENABLED: bool(true, {
		doc: "Look for background work that nobody waits for.",
	}),
	MONITOR_ORPHAN_ASYNC_GRACE_SECONDS: seconds(300, { doc: "Its grace." }),
	MONITOR_ORPHAN_ASYNC_RETRY_SECONDS: seconds(120, { doc: "Its retry." }),
	MONITOR_ORPHAN_ASYNC_COOLDOWN_SECONDS: seconds(1800, {
		doc: "Its smallest gap between two nudges.",
	}),
	MONITOR_ORPHAN_ASYNC_MAX_HOLD_SECONDS: seconds(86400, {
		doc: "Its longest hold.",
	}),
	MONITOR_PASTE_LOCK_TIMEOUT_SECONDS: seconds(20, {
		doc: "Wait for a window's paste lock.",
	}),
	MONITOR_PASTE_RENDER_RECHECK_SECONDS: decimal(3, {
		doc: "How long a paste may take to show.",
	}),
	MONITOR_PASTE_DEFERRAL_ALERT_COUNT: integer(3, {
		min: 1,
		doc: "Refusals for a draft before an alert.",
	}),
	MONITOR_PASTE_DEFERRAL_ALERT_SECONDS: seconds(900, {
		doc: "Age of the first of them before an alert.",
	}),
	PD_POLL_SECONDS: decimal(0.25, { doc: "Poll for evidence of a paste." }),
	PD_BEFORE_ENTER_SECONDS: decimal(3, {
		doc: "How long to look before the first Enter.",
	}),
	PD_CONFIRM_WINDOWS: decimals([3, 3, 3], {
		doc: "Windows of waiting for evidence, one for each Enter.",
	}),
	PD_HELD_CHECK_SECONDS: decimal(1, {
		doc: "Gap between two looks for a pane that holds the paste.",
	}),
	PASTE_CONFIRM_POLL_SECONDS: decimal(0.3, {
		doc: "paste-followup: poll for evidence.",
	}),
	MAX_DISMISS_ATTEMPTS: integer(5, {
		doc: "Arrow keys in a start-up dialog, at most.",
	}),
	UNSTICK_DISMISS_VERIFY_S: decimal(3, {
		doc: "How long a rate-limit menu may take to go.",
	}),
	UNSTICK_CRED_SENSOR: bool(true, {
		doc: "Another account's login ends the waiting for a limit.",
	}),
	RATELIMIT_HEADSUP_DEFER_MAX_S: seconds(900, {
		doc: "How long to try to tell the orchestrator that a limit is over.",
	}),
	MONITOR_VERIFY_REPROBE_SECONDS: decimal(1, {
		doc: "Gap between two looks of a verification.",
	}),
	RESPAWN_TMPDIR: unset("path", {
		doc: "Where the launcher of a new orchestrator is written; unset is the system's.",
	}),
	FRESH_SPAWN_READINESS_POLL_SECONDS: decimal(1, {
		doc: "Gap between two looks at a new orchestrator that starts.",
	}),
	FRESH_SPAWN_READINESS_BUDGET_SECONDS: unsetInteger({
		doc: "How long it may take to be ready for its brief; unset is 30 for a fresh session and 120 for a resumed one.",
	}),
	FRESH_SPAWN_RESUME_STABLE_READS: integer(3, {
		min: 1,
		doc: "Equal looks in a row before a resumed session counts as ready.",
	}),
	FRESH_SPAWN_POST_PASTE_VERIFY_SECONDS: decimal(3, {
		doc: "How long the brief may take to begin a turn.",
	}),
	FRESH_SPAWN_LATE_RENDER_SECONDS: decimal(30, {
		doc: "How long the brief may take to show in the box.",
	}),
	FRESH_SPAWN_SUBMIT_TYPED_RETRY_BUDGET_SECONDS: decimal(120, {
		doc: "How long Enter is pressed again while the brief stays in the box.",
	}),
	FRESH_SPAWN_LOST_PASTE_SECONDS: decimal(15, {
		doc: "An empty box for this long without a turn: the brief is lost.",
	}),
	FRESH_SPAWN_REPASTE_ATTEMPTS: integer(3, {
		min: 1,
		doc: "Pastes of the brief, at most.",
	}),
};
