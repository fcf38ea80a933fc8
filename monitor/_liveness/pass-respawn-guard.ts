/** The two guards against respawning in a circle, with their files and their notices (contract 01 §15, 04 §12). */
import type { Config } from "../../config/schema.ts";
import { appendEvent } from "../_state/action-log-append.ts";
import { respawnAlarmAt, writeRespawnAlarm } from "../_state/respawn-alarm.ts";
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
	readonly loopWindowSeconds: number;
	readonly loopLimit: number;
	readonly failureLimit: number;
	readonly cooldownSeconds: number;
}

/** The four keys of `monitor.respawn_*`, in the shape that the guards decide on; all but the counts in seconds. */
export function respawnLimits(c: Config): RespawnLimits {
	return {
		loopWindowSeconds: c["monitor.respawn_loop_window_seconds"],
		loopLimit: c["monitor.respawn_loop_limit"],
		failureLimit: c["monitor.respawn_consecutive_failure_limit"],
		cooldownSeconds: c["monitor.respawn_slow_grind_cooldown_seconds"],
	};
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
	const note = `${consecutiveFailures} respawns in a row failed: none for ${limits.cooldownSeconds}s`;
	switch (verdict) {
		case "open":
			return verdict;
		case "paused":
			ring(doors, stateDir, note);
			return verdict;
		case "clear":
			clearRespawnFailures(files, stateDir);
			return "open";
		case "trip":
			tripSlowGrind(files, stateDir, clock.iso());
			tell(doors, stateDir, "respawn-slow-grind-tripped", note);
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
	if (verdict.kind === "allowed") return verdict;
	const isEdge = tripRespawnGuard(doors.files, stateDir, doors.clock.iso());
	if (isEdge) tell(doors, stateDir, "respawn-loop-tripped", verdict.reason);
	else ring(doors, stateDir, verdict.reason);
	return verdict;
}

/** tmux could not make the window, or what was started in it ended soon. `atLeast`: so many are known, whatever was cleared meanwhile. */
export function countRespawnFailure(
	{ files, clock }: Pick<Doors, "clock" | "files">,
	stateDir: string,
	atLeast = 1,
): void {
	const { count } = readRespawnFailures(files, stateDir);
	const known = Math.max(count + 1, atLeast);
	writeRespawnFailures(files, stateDir, known, clock.now());
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
	ring(doors, stateDir, note);
}

/** A night is long, and the first ring may not have been heard; more than one an hour nobody wants. */
const RING_EVERY_SECONDS = 3600;

/** The operator's bell, for as long as no orchestrator is started: on the edge, and then by the hour. */
function ring(doors: GuardDoors, stateDir: string, note: string): void {
	const { files, clock, proc } = doors;
	const rungAt = respawnAlarmAt(files, stateDir);
	if (rungAt !== null && Math.abs(clock.now() - rungAt) < RING_EVERY_SECONDS)
		return;
	// Without its mark on the disk it would ring at every look.
	if (writeRespawnAlarm(files, stateDir, clock.iso()).kind === "failed") return;
	// Not awaited: a notifier that hangs must not hold the loop.
	void alarm(proc, `the orchestrator is not respawned: ${note}`);
}
