/** The running watcher's turn at its beacon, once a loop (contract 01 §2.5). */

import type { Beacon } from "../_state/instance-heartbeat.ts";
import { readBeacon, writeBeacon } from "../_state/instance-heartbeat.ts";
import type { Doors } from "../_sys/doors.ts";
import { fenceDecision } from "./instance-guard.ts";

/**
 * `refresh`: ours, rewritten (a failed write still counts: a full disk is no successor). `fence`: a successor has
 * taken over; nothing was touched and the caller leaves its loop.
 */
export function beaconLoopStep(
	doors: Pick<Doors, "files" | "clock">,
	stateDir: string,
	mine: Omit<Beacon, "epoch" | "ts">,
	windowSeconds: number,
): "refresh" | "fence" {
	const now = doors.clock.now();
	const read = readBeacon(doors.files, stateDir);
	// It may be a successor's by now: neither give way nor write over what could not be read.
	if (read.kind === "unreadable") return "refresh";
	const text = read.kind === "ok" ? read.text : "";
	const decision = fenceDecision(
		text,
		mine.host,
		mine.nonce,
		now,
		windowSeconds,
	);
	if (decision === "refresh")
		writeBeacon(doors.files, stateDir, {
			...mine,
			epoch: now,
			ts: doors.clock.iso(now),
		});
	return decision;
}
