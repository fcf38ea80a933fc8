/** The two guards against respawning in a circle, with their files and their one notice (contract 01 §15, 04 §12). */
import { appendEvent } from "../_state/action-log-append.ts";
import {
	clearRespawnFailures,
	readRespawnFailures,
	slowGrindTrippedAt,
	tripSlowGrind,
	writeRespawnFailures,
} from "../_state/respawn-failures.ts";
import {
	readRespawnHistory,
	tripRespawnGuard,
} from "../_state/respawn-history.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import { alarm } from "../_sys/bell.ts";
import type { Doors } from "../_sys/doors.ts";
import {
	type RespawnVerdict,
	respawnAllowed,
	slowGrind,
} from "./respawn-guard.ts";

export interface RespawnLimits {
	/** `monitor.respawn_loop_window_seconds`, `monitor.respawn_loop_limit`. */
	readonly loopWindowSeconds: number;
	readonly loopLimit: number;
	/** `monitor.respawn_consecutive_failure_limit`, `monitor.respawn_slow_grind_cooldown_seconds`. */
	readonly failureLimit: number;
	readonly cooldownSeconds: number;
}

type GuardDoors = Pick<Doors, "clock" | "files" | "log" | "proc">;

/** Pausing after failures in a row? Starts the pause, and ends one that has served its time. */
export function passSlowGrind(
	doors: GuardDoors,
	stateDir: string,
	limits: RespawnLimits,
): "open" | "paused" {
	const { files, clock } = doors;
	const consecutiveFailures = readRespawnFailures(files, stateDir).count;
	const verdict = slowGrind({
		now: clock.now(),
		consecutiveFailures,
		trippedAt: slowGrindTrippedAt(files, stateDir),
		limit: limits.failureLimit,
		cooldownSeconds: limits.cooldownSeconds,
	});
	switch (verdict) {
		case "open":
		case "paused":
			return verdict;
		case "clear":
			clearRespawnFailures(files, stateDir);
			return "open";
		case "trip":
			tripSlowGrind(files, stateDir, clock.iso());
			tell(
				doors,
				stateDir,
				"respawn-slow-grind-tripped",
				`${consecutiveFailures} respawns in a row failed: none for ${limits.cooldownSeconds}s`,
			);
			return "paused";
	}
}

/** Too many respawns in a short time? Records nothing; the ok → tripped edge is told once. */
export function checkRespawnLoop(
	doors: GuardDoors,
	stateDir: string,
	limits: RespawnLimits,
): RespawnVerdict {
	const history = readRespawnHistory(doors.files, stateDir);
	if (history === null)
		return { kind: "refused", reason: "respawn-history.txt cannot be read" };
	const verdict = respawnAllowed(
		history,
		doors.clock.now(),
		limits.loopWindowSeconds,
		limits.loopLimit,
	);
	if (
		verdict.kind === "refused" &&
		tripRespawnGuard(doors.files, stateDir, doors.clock.iso())
	)
		tell(doors, stateDir, "respawn-loop-tripped", verdict.reason);
	return verdict;
}

/** tmux could not make the window. */
export function countRespawnFailure(
	{ files, clock }: Pick<Doors, "clock" | "files">,
	stateDir: string,
): void {
	const { count } = readRespawnFailures(files, stateDir);
	writeRespawnFailures(files, stateDir, count + 1, clock.now());
}

function tell(
	doors: GuardDoors,
	stateDir: string,
	event: string,
	note: string,
): void {
	doors.log.warn(`respawn: ${note}`);
	appendEvent(doors, stateDir, { agent: "watcher", event, note });
	appendAlert(doors, stateDir, "ALERT", `${event}: ${note}`);
	// Not awaited: a notifier that hangs must not hold the loop.
	void alarm(doors.proc, `the orchestrator is not respawned: ${note}`);
}
