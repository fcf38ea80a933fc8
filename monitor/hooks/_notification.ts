/** Notification: one journal for the tally of who waits, one with the payloads as they came (contract 08 §2.5). */
import {
	notificationsPath,
	renderNotification,
} from "../_state/notifications.ts";
import {
	appendCapture,
	appendToJournal,
	notificationCapturesPath,
} from "../_state/raw-captures.ts";
import type { HookCall } from "./_io.ts";
import { envWindow, stampPlace, WORKER } from "./_stamp_path.ts";

/**
 * Writes nothing for a window that is nobody's. The payload as it came is kept only where the environment itself
 * names the window.
 */
export async function recordNotification(call: HookCall): Promise<undefined> {
	const { payload, env, clock } = call;
	if (payload === null) return;
	const place = await stampPlace(call, WORKER);
	if (place === null) return;
	const { stateDir, window } = place;
	const row = renderNotification(payload, window, clock.nowMs() / 1000);
	appendToJournal(call, notificationsPath(stateDir), row);
	const isOff = /^(?:0|false|no|off)$/i.test(
		env.MONITOR_RAW_CAPTURES_ENABLED ?? "",
	);
	if (!isOff && envWindow(env, WORKER) !== null)
		appendCapture(call, notificationCapturesPath(stateDir), {
			payload,
			window,
		});
}
