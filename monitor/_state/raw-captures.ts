/**
 * `notification-raw-captures.jsonl`, `stopfailure-raw-captures.jsonl`: payloads as Claude Code sent them, kept as evidence
 * (contract 08 §2.5, §2.7). And how a hook appends to a journal that rotates.
 */
import { join } from "node:path";
import type { Clock, EverydayFiles } from "../_sys/doors.ts";
import type { JsonObject } from "./json-object.ts";
import { dropOldRotations, rotate } from "./rotation.ts";

export function notificationCapturesPath(stateDir: string): string {
	return join(stateDir, "notification-raw-captures.jsonl");
}
export function stopFailureCapturesPath(stateDir: string): string {
	return join(stateDir, "stopfailure-raw-captures.jsonl");
}

/** A hook loads no configuration: what is set reaches it as environment. */
export interface JournalDoors {
	readonly files: EverydayFiles;
	readonly clock: Pick<Clock, "now" | "nowMs">;
	readonly warn: (line: string) => void;
	readonly env: Readonly<Record<string, string | undefined>>;
}

const MAX_BYTES = 10_485_760;
const RETENTION_DAYS = 7;

/** Appends one line; a journal that is full is rotated first, and its old rotations go. */
export function appendToJournal(
	doors: JournalDoors,
	path: string,
	line: string,
): void {
	const { files, env } = doors;
	const maxBytes =
		wholeNumber(env.MONITOR_NOTIFICATIONS_LOG_MAX_BYTES) ?? MAX_BYTES;
	const found = files.stat(path);
	if (maxBytes > 0 && found.kind === "ok" && found.stat.size >= maxBytes) {
		const log = { info: () => {}, warn: doors.warn };
		const journal = { path, maxBytes, how: "rename" } as const;
		rotate({ ...doors, log }, journal);
		const days = wholeNumber(env.DIFF_RETENTION_DAYS) ?? RETENTION_DAYS;
		dropOldRotations({ ...doors, log }, journal, days);
	}
	const done = files.append(path, `${line}\n`, { mode: 0o640 });
	if (done.kind === "failed") doors.warn(done.reason);
}

/** Appends the payload whole, with the window it came from and when. */
export function appendCapture(
	doors: JournalDoors,
	path: string,
	{
		payload,
		window,
	}: { readonly payload: JsonObject; readonly window: string },
): void {
	const line = JSON.stringify({
		...payload,
		nexus_window: window,
		nexus_capture_ts: doors.clock.nowMs() / 1000,
	});
	appendToJournal(doors, path, line);
}

function wholeNumber(text: string | undefined): number | null {
	return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
