/** `cc-auto-update/restart-hold`, `key=value`: the operator wants no other Claude Code for now (contract 06 §13). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { ccAutoUpdateDir } from "./cc-auto-update.ts";
import { isNewer } from "./cc-update-available.ts";
import { isCcVersion } from "./cc-version-local.ts";
import { digits, parseKv, renderKv } from "./kv.ts";

export interface RestartHold {
	readonly reason: string;
	/** Epoch seconds. */
	readonly ts: number;
	/** Epoch seconds; null: until it is taken away. */
	readonly expires: number | null;
	/** Over once this version, or a newer one, is the candidate; null: whatever the version. */
	readonly untilVersion: string | null;
}

/** Null without one. A file that cannot be read holds: somebody wanted it. */
export function readRestartHold(
	files: Files,
	stateDir: string,
): RestartHold | null {
	const read = files.read(restartHoldPath(stateDir), 4096);
	if (read.kind === "absent") return null;
	const kv = parseKv(read.kind === "ok" ? read.text : "");
	const until = kv.get("until_version") ?? "";
	return {
		reason: kv.get("reason") || "the hold's file cannot be read",
		ts: digits(kv.get("ts")) ?? 0,
		expires: digits(kv.get("expires")),
		untilVersion: isCcVersion(until) ? until : null,
	};
}

/** Makes the folder. Without an end and a version it holds until it is taken off. */
export function writeRestartHold(
	files: Files,
	stateDir: string,
	hold: RestartHold,
): WriteResult {
	files.mkdir(ccAutoUpdateDir(stateDir));
	return files.writeAtomic(
		restartHoldPath(stateDir),
		renderKv([
			["reason", hold.reason],
			["ts", hold.ts],
			["expires", hold.expires ?? ""],
			["until_version", hold.untilVersion ?? ""],
		]),
	);
}

/** A hold that is not there is gone already. */
export function removeRestartHold(files: Files, stateDir: string): WriteResult {
	return files.remove(restartHoldPath(stateDir));
}

/** Does it hold this candidate back now? */
export function holds(
	hold: RestartHold | null,
	now: number,
	candidate: string,
): boolean {
	if (hold === null) return false;
	if (hold.expires !== null && now >= hold.expires) return false;
	return hold.untilVersion === null || isNewer(hold.untilVersion, candidate);
}

function restartHoldPath(stateDir: string): string {
	return join(ccAutoUpdateDir(stateDir), "restart-hold");
}
