/** The gate before a whole cockpit: does another instance run here or on another host (contract 01 §2.5)? */

import type { Home } from "../_state/home.ts";
import {
	instanceHeartbeatPath,
	readBeacon,
} from "../_state/instance-heartbeat.ts";
import {
	instanceLockPath,
	parseInstanceMeta,
} from "../_state/instance-lock.ts";
import type { Doors } from "../_sys/doors.ts";
import { assessLock, guardDecision } from "./instance-guard.ts";
import { preflightLines } from "./refusal-text.ts";

/** Lines of the refusal; empty when the cockpit may start. */
export function preflight(
	doors: Pick<Doors, "files" | "clock" | "proc" | "locks">,
	home: Home,
	windowSeconds: number,
): readonly string[] {
	const { proc } = doors;
	const lockPath = instanceLockPath(home.stateDir);
	const probe = doors.locks.probe(lockPath);
	const lockText = probe.kind === "held" ? probe.text : "";
	const read = readBeacon(doors.files, home.stateDir);
	// A beacon that cannot be read is as good as one that cannot be parsed.
	const beaconText =
		read.kind === "ok" ? read.text : read.kind === "absent" ? "" : "?";
	const verdict = guardDecision({
		flockHeld: probe.kind === "held",
		lockText,
		beaconText,
		host: proc.hostname,
		pidNs: proc.pidNamespace(),
		now: doors.clock.now(),
		windowSeconds,
	});
	return preflightLines(verdict, {
		root: home.root,
		lockPath,
		lockText,
		assessment: assessLock(
			parseInstanceMeta(lockText),
			proc.hostname,
			proc.bootId(),
		),
		beaconPath: instanceHeartbeatPath(home.stateDir),
		beaconText,
		windowSeconds,
	});
}
