/**
 * `nexus-instance.heartbeat`, the beacon: tells other hosts on a shared disk that this watcher lives
 * (contract 01 §2.4, §2.5). Refreshed every loop; a flock does not reach across hosts.
 */
import { join } from "node:path";
import type { Files, ReadResult, WriteResult } from "../_sys/doors.ts";
import { digits, parseColonLines, renderColonLines } from "./kv.ts";

export interface Beacon {
	readonly host: string;
	readonly bootId: string;
	readonly pidNs: string;
	readonly pid: number;
	readonly tmux: string;
	readonly nexusRoot: string;
	/** Random UUID, made once per process. */
	readonly nonce: string;
	readonly epoch: number;
	readonly ts: string;
}
/** What the decisions of §2.5 need of a beacon that somebody else may have written. */
export interface BeaconView {
	readonly host: string | null;
	readonly nonce: string | null;
	readonly epoch: number | null;
	readonly ts: string | null;
}

export function instanceHeartbeatPath(stateDir: string): string {
	return join(stateDir, "nexus-instance.heartbeat");
}

/** Null for each line that is missing or empty; `epoch` in epoch seconds. */
export function parseBeacon(text: string): BeaconView {
	const lines = parseColonLines(text);
	return {
		host: lines.get("host")?.trim() || null,
		nonce: lines.get("nonce")?.trim() || null,
		epoch: digits(lines.get("epoch")?.trim()),
		ts: lines.get("ts")?.trim() || null,
	};
}

/** Nine `key: value` lines; `host`, `nonce` and `epoch` decide, the rest is for people. */
export function renderBeacon(b: Beacon): string {
	return renderColonLines([
		["host", b.host],
		["boot_id", b.bootId],
		["pid_ns", b.pidNs],
		["pid", b.pid],
		["tmux", b.tmux],
		["nexus_root", b.nexusRoot],
		["nonce", b.nonce],
		["epoch", b.epoch],
		["ts", b.ts],
	]);
}

/** The beacon's text; the decisions of §2.5 take it as it is. */
export function readBeacon(files: Files, stateDir: string): ReadResult {
	return files.read(instanceHeartbeatPath(stateDir));
}

/** Every loop, and once at a start. */
export function writeBeacon(
	files: Files,
	stateDir: string,
	b: Beacon,
): WriteResult {
	return files.writeAtomic(instanceHeartbeatPath(stateDir), renderBeacon(b));
}

/** By whoever holds the instance lock: whose it was is dead. */
export function dropBeacon(files: Files, stateDir: string): WriteResult {
	return files.remove(instanceHeartbeatPath(stateDir));
}

/** At a clean exit of a watcher that was not superseded; the beacon of another process stays. */
export function removeBeacon(
	files: Files,
	stateDir: string,
	nonce: string,
): void {
	const read = readBeacon(files, stateDir);
	if (read.kind === "ok" && parseBeacon(read.text).nonce === nonce)
		files.remove(instanceHeartbeatPath(stateDir));
}
