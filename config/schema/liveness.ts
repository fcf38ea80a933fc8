/** Is the orchestrator alive, when is it replaced, who watches the watcher (contract 07 §11.8). */
import { bool, derivedSeconds, integer, seconds } from "../leaves.ts";

export const liveness = {
	"monitor.agent_dead_threshold": integer(3, {
		min: 1,
		unit: "polls",
		env: "AGENT_DEAD_THRESHOLD",
		doc: "Looks in a row without an agent in the target window before that is believed.",
	}),
	"monitor.agent_missing_respawn_delay": integer(3, {
		unit: "polls",
		env: "AGENT_MISSING_RESPAWN_DELAY",
		doc: "Polls that confirm a missing target window.",
	}),
	"monitor.respawn_loop_limit": integer(3, {
		min: 1,
		env: "MONITOR_RESPAWN_LOOP_LIMIT",
		doc: "More respawns than this in the window trip the guard.",
	}),
	"monitor.respawn_loop_window_seconds": seconds(120, {
		min: 1,
		env: "MONITOR_RESPAWN_LOOP_WINDOW",
		doc: "That window, sliding.",
	}),
	"monitor.respawn_consecutive_failure_limit": integer(5, {
		min: 1,
		env: "MONITOR_RESPAWN_CONSECUTIVE_FAILURE_LIMIT",
		doc: "Failures in a row that pause respawning.",
	}),
	"monitor.respawn_slow_grind_cooldown_seconds": seconds(600, {
		env: "MONITOR_RESPAWN_SLOW_GRIND_COOLDOWN_SECONDS",
		doc: "That pause.",
	}),
	"monitor.orchestrator_fresh_spawn_enabled": bool(true, {
		env: "MONITOR_ORCHESTRATOR_FRESH_SPAWN_ENABLED",
		doc: "Allow a fresh orchestrator.",
	}),
	"monitor.orchestrator_fresh_spawn_cooldown_seconds": seconds(1800, {
		env: "MONITOR_ORCHESTRATOR_FRESH_SPAWN_COOLDOWN_SECONDS",
		doc: "Smallest gap between two of them.",
	}),
	"monitor.orchestrator_stale_seconds": derivedSeconds({
		derived: "5 × monitor.interval_seconds",
		env: "MONITOR_ORCHESTRATOR_STALE_SECONDS",
		doc: "An end-of-turn heartbeat older than this is stale.",
		template: 300,
	}),
	"monitor.orchestrator_unresponsive_threshold_seconds": seconds(120, {
		env: "MONITOR_ORCH_UNRESPONSIVE_THRESHOLD_S",
		doc: "Its environment value, when set, is the default of the dead threshold.",
		deprecated: "use monitor.watcher.orchestrator_dead_threshold_seconds",
		notInTemplate: "deprecated",
	}),
	"monitor.watcher.paste_response_grace_seconds": seconds(120, {
		env: "MONITOR_ORCH_PASTE_RESPONSE_GRACE_S",
		doc: "How long a paste may wait for its receipt.",
	}),
	"monitor.watcher.unstick_window_seconds": seconds(150, {
		env: "MONITOR_ORCH_UNSTICK_WINDOW_S",
		doc: "Then the orchestrator is unstuck for this long.",
	}),
	"monitor.watcher.orchestrator_dead_threshold_seconds": seconds(300, {
		derived: "300, or the environment's MONITOR_ORCH_UNRESPONSIVE_THRESHOLD_S",
		env: "MONITOR_ORCH_DEAD_THRESHOLD_S",
		doc: "Then it is dead.",
	}),
	"monitor.watcher.stale_paste_ceiling_seconds": seconds(1800, {
		env: "MONITOR_ORCH_STALE_PASTE_CEILING_S",
		doc: "A paste older than this proves nothing any more.",
	}),
	"monitor.watcher.dead_threshold_floor_margin_seconds": seconds(60, {
		env: "MONITOR_ORCH_DEAD_THRESHOLD_FLOOR_MARGIN_S",
		doc: "Margin of the dead threshold over the gap between two pastes.",
	}),
	"monitor.watcher.idle_pane_override_max": integer(5, {
		env: "MONITOR_ORCH_IDLE_OVERRIDE_MAX",
		doc: "How often in a row an idle-looking pane may veto dead; 0 is unbounded.",
	}),
	"monitor.watcher.liveness_log_throttle_seconds": seconds(30, {
		env: "MONITOR_ORCH_LIVENESS_LOG_THROTTLE_S",
		doc: "Gap between two log lines of one verdict.",
	}),
	"monitor.watcher.turn_failure_gate_seconds": seconds(600, {
		env: "MONITOR_ORCH_TURN_FAILURE_GATE_SECONDS",
		doc: "How long a failed turn that needs the operator holds the verdict.",
	}),
	"monitor.watcher.self_heal_enabled": bool(true, {
		env: "MONITOR_WATCHER_SELF_HEAL_ENABLED",
		doc: "Restart the watcher after repeated failures to deliver; false only alerts.",
	}),
	"monitor.watcher.delivery_fail_limit": integer(3, {
		min: 1,
		env: "MONITOR_EMIT_DELIVERY_FAIL_LIMIT",
		doc: "Failed deliveries in a row before that.",
	}),
	"monitor.watcher_supervisor.enabled": bool(true, {
		env: "MONITOR_WATCHER_SUPERVISOR_ENABLED",
		doc: "Ask the orchestrator to arm the supervisor while it is not.",
	}),
	"monitor.watcher_supervisor.heartbeat_stale_seconds": seconds(90, {
		min: 1,
		env: "MONITOR_WATCHER_SUPERVISOR_HEARTBEAT_STALE_SECONDS",
		doc: "A supervisor heartbeat at most this old counts as armed.",
	}),
	"monitor.watcher_supervisor.loop_limit": integer(5, {
		min: 1,
		env: "MONITOR_WATCHER_SUPERVISOR_LOOP_LIMIT",
		doc: "Revivals of the watcher in one window.",
	}),
	"monitor.watcher_supervisor.loop_window_seconds": seconds(600, {
		min: 1,
		env: "MONITOR_WATCHER_SUPERVISOR_LOOP_WINDOW_SECONDS",
		doc: "That window.",
	}),
	"monitor.rofs_alarm.throttle_seconds": seconds(120, {
		env: "MONITOR_ROFS_ALARM_THROTTLE_SECONDS",
		doc: "Gap between two alarms about a read-only disk.",
	}),
	"monitor.rofs_alarm.github_escalation_enabled": bool(true, {
		env: "MONITOR_ROFS_GITHUB_ESCALATION_ENABLED",
		doc: "Also open an issue about a disk that cannot be written, and call you in the overview.",
	}),
};
