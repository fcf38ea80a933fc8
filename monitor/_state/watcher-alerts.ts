/** `watcher-alerts.log`: lines `[<ISO>] ALERT <msg>`, `WARN` or `INFO`, for the operator (contract 01 §14, §26). */
import { join } from "node:path";
import type { Clock, EverydayFiles } from "../_sys/doors.ts";

export type AlertLevel = "ALERT" | "WARN" | "INFO";

function watcherAlertsPath(stateDir: string): string {
	return join(stateDir, "watcher-alerts.log");
}

function renderAlert(iso: string, level: AlertLevel, msg: string): string {
	return `[${iso}] ${level} ${msg.replace(/[\r\n]+/g, " ")}\n`;
}

/** Best effort: an alert that cannot be written must not stop the work that raised it. */
export function appendAlert(
	doors: { readonly files: EverydayFiles; readonly clock: Clock },
	stateDir: string,
	level: AlertLevel,
	msg: string,
): void {
	doors.files.append(
		watcherAlertsPath(stateDir),
		renderAlert(doors.clock.iso(), level, msg),
		{ mode: 0o640 },
	);
}
