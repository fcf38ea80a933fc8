/** Which kind of notice a Notification event is; releases name it in two places, or only in words (contract 08 §3). */
import { type JsonObject, textAt } from "./json-object.ts";

/** The type that the payload names, else what its message is about; null when neither tells. */
export function notificationType(payload: JsonObject): string | null {
	return (
		textAt(payload, "notification_type") ??
		textAt(payload, "notification", "type") ??
		typeInWords(notificationMessage(payload))
	);
}

/** Empty when there is none. */
export function notificationMessage(payload: JsonObject): string {
	return (
		textAt(payload, "message") ??
		textAt(payload, "notification", "message") ??
		""
	);
}

function typeInWords(
	message: string,
): "permission_prompt" | "idle_prompt" | null {
	if (/permission/i.test(message)) return "permission_prompt";
	return /waiting|idle|input/i.test(message) ? "idle_prompt" : null;
}
