/** When an emit is due, what damps it, what is repeated (contract 07 §11.6). */
import { bool, derivedSeconds, integer, seconds } from "../leaves.ts";

export const emit = {
	"monitor.full_state_emit_interval_seconds": seconds(600, {
		zeroDisables: true,
		env: "MONITOR_FULL_STATE_EMIT_INTERVAL_SECONDS",
		doc: "Cadence of full-state; 0 leaves transitions only.",
	}),
	"monitor.full_state.safety_floor_seconds": seconds(900, {
		env: "MONITOR_FULL_STATE_SAFETY_FLOOR_SECONDS",
		doc: "An unchanged workspace still emits at least this often.",
	}),
	"monitor.full_state.idle_backoff_enabled": bool(true, {
		env: "MONITOR_FULL_STATE_IDLE_BACKOFF_ENABLED",
		doc: "Double the floor while nothing changes; any change snaps it back.",
	}),
	"monitor.full_state.idle_backoff_max_seconds": seconds(86400, {
		env: "MONITOR_FULL_STATE_IDLE_BACKOFF_MAX_SECONDS",
		doc: "Limit of that stretch; at or below the floor there is none.",
	}),
	"monitor.full_state.read_failed_persist_polls": integer(3, {
		min: 1,
		env: "MONITOR_FULL_STATE_READ_FAILED_PERSIST_POLLS",
		doc: "Polls before a read failure counts as state.",
	}),
	"monitor.full_state.restat_windows": bool(true, {
		env: "MONITOR_FULL_STATE_RESTAT_WINDOWS",
		doc: "Drop staged rows of windows that no longer exist.",
	}),
	"monitor.full_state.reset_stamp_on_emit": bool(true, {
		env: "MONITOR_FULL_STATE_RESET_STAMP_ON_EMIT",
		doc: "Any emit restarts the floor.",
	}),
	"monitor.full_state.snap_interval_seconds": seconds(0, {
		env: "MONITOR_FULL_STATE_SNAP_INTERVAL_SECONDS",
		doc: "Cadence of the full-state snapshot; 0 is a quarter of the emit interval, at least 30.",
		unread: "the snapshot is staged every 600 s",
	}),
	"monitor.full_state.stage_max_age_seconds": integer(-1, {
		min: -1,
		zeroDisables: true,
		unit: "seconds",
		env: "MONITOR_FULL_STATE_STAGE_MAX_AGE_SECONDS",
		doc: "Oldest snapshot used; -1 is half the emit interval, at least 60.",
		unread: "a staged snapshot counts until the next one",
	}),
	"monitor.emit_cooldown_seconds": seconds(300, {
		zeroDisables: true,
		env: "MONITOR_EMIT_COOLDOWN_SECONDS",
		doc: "The same comment with the same body is not repeated within this.",
	}),
	"monitor.emit_history_retention_seconds": seconds(86400, {
		min: 1,
		env: "MONITOR_EMIT_HISTORY_RETENTION_SECONDS",
		doc: "How long that history is kept.",
	}),
	"monitor.alert_emit_cooldown_seconds": seconds(900, {
		zeroDisables: true,
		env: "MONITOR_ALERT_EMIT_COOLDOWN_SECONDS",
		doc: "Damper of each alert surface; a changed kind or content passes at once. Keep above 600.",
	}),
	"monitor.comment_surface.interval_seconds": seconds(15, {
		zeroDisables: true,
		env: "MONITOR_COMMENT_SURFACE_INTERVAL_SECONDS",
		doc: "Cadence of the fast comment emit; 0 leaves comments to compose_emit.",
	}),
	"monitor.emit_dedup_max_quiet_seconds": seconds(86400, {
		zeroDisables: true,
		env: "MONITOR_EMIT_DEDUP_MAX_QUIET_SECONDS",
		doc: "An unchanged emit is repeated after this much quiet.",
	}),
	"monitor.emit_dedup_ring_size": integer(8, {
		min: 1,
		env: "MONITOR_EMIT_DEDUP_RING_SIZE",
		doc: "Bodies remembered.",
	}),
	"monitor.reemit_enabled": bool(true, {
		env: "MONITOR_REEMIT_ENABLED",
		doc: "Surface unanswered comments again.",
	}),
	"monitor.reemit_max_age_seconds": seconds(259200, {
		env: "MONITOR_REEMIT_MAX_AGE_SECONDS",
		doc: "Stop repeating a comment after this.",
	}),
	"monitor.reemit_live_recheck": bool(true, {
		env: "MONITOR_REEMIT_LIVE_RECHECK",
		doc: "Ask GitHub before repeating.",
	}),
	"monitor.mentions.reemit_backoff_seconds": derivedSeconds({
		zeroDisables: true,
		derived: "monitor.emit_cooldown_seconds",
		env: "MONITOR_REEMIT_BACKOFF_SECONDS",
		doc: "Smallest gap between repeats of one comment, whatever its body.",
	}),
	"monitor.mentions.reemit_noeyes_minutes": integer(5, {
		unit: "minutes",
		env: "MONITOR_REEMIT_NOEYES_MINUTES",
		doc: "A comment without EYES for this long is repeated.",
	}),
	"monitor.mentions.reemit_norocket_hours": integer(6, {
		unit: "hours",
		env: "MONITOR_REEMIT_NOROCKET_HOURS",
		doc: "A comment with EYES but no ROCKET for this long is repeated.",
	}),
	"monitor.mentions.reemit_evict_eyes_on_closed": bool(true, {
		env: "MONITOR_REEMIT_EVICT_EYES_ON_CLOSED",
		doc: "Drop acknowledged comments of closed issues.",
	}),
	"monitor.processed_comments_max_entries": integer(2000, {
		zeroDisables: true,
		env: "MONITOR_PROCESSED_COMMENTS_MAX_ENTRIES",
		doc: "Newest rows of handled comments that are kept.",
	}),
	"monitor.pending_decisions.skip_dead_windows": bool(true, {
		env: "MONITOR_PENDING_SKIP_DEAD_WINDOWS",
		doc: "Hide decisions of windows that are gone.",
	}),
	"monitor.resurface_max_repeats": integer(4, {
		env: "MONITOR_RESURFACE_MAX_REPEATS",
		doc: "Repeats of an unanswered item.",
		unread:
			"an unanswered comment is repeated for monitor.reemit_max_age_seconds",
	}),
	"monitor.resurface_backoff_max_seconds": seconds(3600, {
		env: "MONITOR_RESURFACE_BACKOFF_MAX_SECONDS",
		doc: "Largest gap between such repeats.",
		unread:
			"monitor.mentions.reemit_backoff_seconds is the gap between two repeats",
	}),
};
