/** Pastes fail again and again for reasons of our own: the watcher has itself replaced (contract 01 §14). */
import type { Config } from "../../config/schema.ts";
import {
	decideSelfRestart,
	type RestartGuardFacts,
	type RestartGuardLimits,
	type RestartVerdict,
	readRestartGuard,
	recordSelfRestart,
	recordTrip,
} from "../_state/restart-guard.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import { watcherLogPath } from "../_state/watcher-log.ts";
import {
	removeWatcherRevived,
	writeWatcherRevived,
} from "../_state/watcher-revived.ts";
import { bell } from "../_sys/bell.ts";
import type { Doors } from "../_sys/doors.ts";
import { type ReplacePlace, replaceWatcher } from "../_sys/replace-watcher.ts";

export interface SelfHealConfig extends RestartGuardLimits {
	/** `monitor.watcher.self_heal_enabled`. */
	readonly enabled: boolean;
}

/** The guard's limits, of whatever cause the restart is. */
export function restartLimits(config: Config): RestartGuardLimits {
	return {
		selfAllowed: config["monitor.version_restart.self"],
		cooldownSeconds: config["monitor.version_restart.cooldown_seconds"],
		loopLimit: config["monitor.version_restart.self_loop_limit"],
		loopWindowSeconds:
			config["monitor.version_restart.self_loop_window_seconds"],
	};
}

type Heal = Pick<Doors, "clock" | "files" | "proc" | "log">;

/** Pure. */
function decideSelfHeal(
	guard: RestartGuardFacts,
	cfg: SelfHealConfig,
): RestartVerdict {
	return cfg.enabled
		? decideSelfRestart(guard, cfg)
		: { kind: "refused", why: "monitor.watcher.self_heal_enabled is off" };
}

/** Starts a detached `launcher --replace`, or says why not. `cause` is a line for the log and the next orchestrator turn. */
export function selfHeal(
	doors: Heal,
	place: ReplacePlace,
	cfg: SelfHealConfig,
	cause: string,
): void {
	const guard = readRestartGuard(doors, place.stateDir);
	const verdict = decideSelfHeal(guard, cfg);
	if (verdict.kind === "trip") {
		recordTrip(doors.files, place.stateDir);
		raise(doors, place.stateDir, `self-heal stopped: ${verdict.why}`);
		return;
	}
	if (verdict.kind === "refused") {
		doors.log.warn(`self-heal restart refused: ${verdict.why}`);
		return;
	}
	if (!recordSelfRestart(doors, place.stateDir, verdict.clear)) {
		doors.log.warn("self-heal restart refused: it could not be recorded");
		return;
	}
	restart(doors, place, cause);
}

/** An ALERT: the file, the log, and the operator's bell. */
export function raise(
	doors: Pick<Doors, "clock" | "files" | "proc" | "log">,
	stateDir: string,
	text: string,
): void {
	appendAlert(doors, stateDir, "ALERT", text);
	doors.log.warn(text);
	// Not awaited: a notifier that hangs must not hold the cycle.
	void bell(doors.proc, `watcher ALERT: ${text}`);
}

function restart(doors: Heal, place: ReplacePlace, cause: string): void {
	const { files, clock, proc } = doors;
	const log = watcherLogPath(place.stateDir);
	writeWatcherRevived(files, place.stateDir, {
		reason: cause,
		downtimeEstimateSeconds: null,
		detectedAt: clock.iso(),
		restartedBy: "watcher-self-heal",
	});
	// Written past stderr: this process is about to be ended.
	files.append(log, `[${clock.iso()}] self-heal restart: ${cause}\n`, {
		mode: 0o640,
	});
	const started = proc.spawnDetached(
		replaceWatcher(proc, place, { caller: "watcher-self-heal", log }),
	);
	if (started.kind === "ok") return;
	removeWatcherRevived(files, place.stateDir);
	raise(
		doors,
		place.stateDir,
		`self-heal restart could not start the launcher: ${started.reason}`,
	);
}
