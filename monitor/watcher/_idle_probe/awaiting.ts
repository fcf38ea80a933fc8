/** How many windows have asked for something since the last report (contract 03 §12.8). */
import {
	readPreludeStamp,
	writePreludeStamp,
} from "../../_state/last-prelude-stamp.ts";
import {
	type NotificationReader,
	type NotificationRow,
	notificationsPath,
} from "../../_state/notifications.ts";
import { dropOldRotations, rotate } from "../../_state/rotation.ts";
import type { Doors } from "../../_sys/doors.ts";

export interface AwaitingSettings {
	readonly maxBytes: number;
	readonly retentionDays: number;
	readonly readNotifications: NotificationReader;
	/** Counts, and remembers nothing. */
	readonly dryRun: boolean;
}

/** Windows, not events. Counts from the last report on and moves that mark, unless `dryRun`. */
export function countAwaiting(
	doors: Doors,
	stateDir: string,
	{ maxBytes, retentionDays, readNotifications, dryRun }: AwaitingSettings,
): number {
	const path = notificationsPath(stateDir);
	const log = { path, maxBytes, how: "rename" } as const;
	if (!dryRun) {
		rotate(doors, log);
		dropOldRotations(doors, log, retentionDays);
	}
	const since = readPreludeStamp(doors, stateDir);
	const rows = readNotifications(doors.files, stateDir) ?? [];
	if (!dryRun)
		writePreludeStamp(doors.files, stateDir, doors.clock.nowMs() / 1000);
	return awaitingWindows(rows, since);
}

/** Pure. */
function awaitingWindows(
	rows: readonly NotificationRow[],
	since: number,
): number {
	return new Set(rows.filter((r) => r.at > since).map((r) => r.window)).size;
}
