/** The watcher's own code has changed on the disk: it has itself replaced (contract 06 §9.4). */
import { raise, restartLimits } from "../../_emit/self-heal.ts";
import {
	readRestartGuard,
	recordSelfRestart,
	recordTrip,
} from "../../_state/restart-guard.ts";
import { watcherLogPath } from "../../_state/watcher-log.ts";
import { replaceWatcher } from "../../_sys/replace-watcher.ts";
import {
	adopt,
	ask,
	type Drifted,
	settledDrift,
	short,
	type VersionCheck,
} from "./component.ts";
import { decideWatcher } from "./guards.ts";

/**
 * True: the launcher has been started. Its records are left alone: the successor writes what it runs and so closes
 * the loop. What this process had not delivered yet, the successor's first report says.
 */
export function restartWatcherOnDrift(
	check: VersionCheck,
	current: string | null,
): boolean {
	const drifted = settledDrift(check, "watcher", current);
	if (drifted === null || check.run.signal.aborted) return false;
	const { place, run, now } = check;
	const { stateDir } = place;
	const facts = readRestartGuard(run.doors, stateDir);
	const action = decideWatcher(facts, restartLimits(place.config));
	switch (action.kind) {
		case "later":
			check.sayOnce(
				`watcher: ${short(drifted.hash)} is on the disk, not restarted: ${action.why}`,
			);
			return false;
		case "ask": {
			const { note, word } = action;
			const extra = { note, ...(word !== undefined && { new: word }) };
			if (!ask(check, "watcher", drifted, extra)) return false;
			if (word !== undefined) recordTrip(run.doors.files, stateDir);
			if (action.adopt) adopt(check, "watcher", drifted.hash);
			return false;
		}
		case "restart":
			if (!recordSelfRestart(run.doors, stateDir, action.clear)) {
				check.sayOnce("watcher: not restarted: it could not be recorded");
				return false;
			}
			return replace(check, drifted, now);
	}
}

function replace(
	{ run, place }: VersionCheck,
	{ old, hash }: Drifted,
	now: number,
): boolean {
	const { doors } = run;
	const { files, clock, proc } = doors;
	const log = watcherLogPath(place.stateDir);
	// Written past the task's own log: this process is about to be ended.
	files.append(
		log,
		`[${clock.iso(now)}] version restart: ${short(old)} -> ${short(hash)}\n`,
		{ mode: 0o640 },
	);
	const started = proc.spawnDetached(
		replaceWatcher(proc, place, { caller: "version-restart", log }),
	);
	if (started.kind === "ok") return true;
	raise(
		doors,
		place.stateDir,
		`version restart could not start the launcher: ${started.reason}`,
	);
	return false;
}
