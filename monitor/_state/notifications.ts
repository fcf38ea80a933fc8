/** `worker-notifications.jsonl`: every Notification event of a worker, a JSON object a line, written by a hook (contract 08 §2.5). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { followFile, rowsBy } from "./followed-file.ts";
import {
	epochAt,
	type JsonObject,
	parseObject,
	textAt,
} from "./json-object.ts";
import { notificationMessage, notificationType } from "./notification-type.ts";

export interface NotificationRow {
	readonly window: string;
	/** Epoch seconds, with a fraction where the writer gave one. */
	readonly at: number;
}

export function notificationsPath(stateDir: string): string {
	return join(stateDir, "worker-notifications.jsonl");
}

/** The line of one event, without its newline. `now` in epoch seconds, with a fraction. */
export function renderNotification(
	payload: JsonObject,
	window: string,
	now: number,
): string {
	return JSON.stringify({
		event: textAt(payload, "hook_event_name"),
		notification_type: notificationType(payload),
		message: notificationMessage(payload),
		window,
		session_id: textAt(payload, "session_id"),
		ts: now,
	});
}

/** Some three thousand rows: more than a fleet sends between two reports. */
const TAIL_BYTES = 1024 * 1024;

/** The newest rows, oldest first; null: could not look. */
export type NotificationReader = (
	files: Files,
	stateDir: string,
) => readonly NotificationRow[] | null;

/** For whoever looks again and again: each look reads on where the last one ended. */
export function followNotifications(): NotificationReader {
	const reading = rowsBy(parseNotifications);
	const follow = followFile(reading, { kind: "last", bytes: TAIL_BYTES });
	return (files, stateDir) => {
		const found = follow(files, notificationsPath(stateDir));
		if (found.kind === "absent") return [];
		return found.kind === "ok" ? found.value : null;
	};
}

/** Pure. A line that does not parse, or names no window or time, costs only itself. */
export function parseNotifications(text: string): readonly NotificationRow[] {
	return text.split("\n").flatMap((line) => {
		const row = line === "" ? null : parseRow(line);
		return row === null ? [] : [row];
	});
}

function parseRow(line: string): NotificationRow | null {
	const raw = parseObject(line);
	const window = textAt(raw, "window");
	const at = epochAt(raw, "ts");
	return window === null || at === null ? null : { window, at };
}
