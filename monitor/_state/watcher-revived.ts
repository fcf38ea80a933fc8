/** `watcher-revived`: left by whoever restarted a watcher that was down; the next sweep tells the orchestrator (contract 01 §16.4). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits, parseKv, renderKv } from "./kv.ts";

export type RevivedBy = "orchestrator-monitor" | "watcher-self-heal";

export interface WatcherRevived {
	readonly reason: string;
	/** Heartbeat age, seconds; null prints as `?`. */
	readonly downtimeEstimateSeconds: number | null;
	readonly detectedAt: string;
	readonly restartedBy: RevivedBy;
}
/** As read: a later version's `restarted_by` is kept as it stands. */
export type WatcherRevivedView = Omit<WatcherRevived, "restartedBy"> & {
	readonly restartedBy: string;
};

export function watcherRevivedPath(stateDir: string): string {
	return join(stateDir, "watcher-revived");
}

/** Null without a reviver. */
export function parseWatcherRevived(text: string): WatcherRevivedView | null {
	const kv = parseKv(text);
	const restartedBy = kv.get("restarted_by");
	if (!restartedBy) return null;
	return {
		reason: kv.get("reason") ?? "",
		downtimeEstimateSeconds: digits(kv.get("downtime_estimate_s")),
		detectedAt: kv.get("detected_at") ?? "",
		restartedBy,
	};
}

/** Four `key=value` lines; a downtime that nobody knows is `?`. */
export function renderWatcherRevived(r: WatcherRevived): string {
	return renderKv([
		["reason", r.reason],
		["downtime_estimate_s", r.downtimeEstimateSeconds ?? "?"],
		["detected_at", r.detectedAt],
		["restarted_by", r.restartedBy],
	]);
}

/** Replaces one that was not told yet. */
export function writeWatcherRevived(
	files: Files,
	stateDir: string,
	r: WatcherRevived,
): WriteResult {
	return files.writeAtomic(
		watcherRevivedPath(stateDir),
		renderWatcherRevived(r),
	);
}

/** Once the orchestrator has been told. */
export function removeWatcherRevived(files: Files, stateDir: string): void {
	files.remove(watcherRevivedPath(stateDir));
}
