/** The two wait lists of a heartbeat (contract 08 §4.1). Pure: every other field stays as it was. */
import { type Wait, waitsOf } from "./heartbeat.ts";
import type { JsonObject } from "./json-object.ts";

/** The object of a window whose session has not written one yet; `now` in epoch seconds. */
export function seedHeartbeat(window: string, now: number): JsonObject {
	return {
		window,
		last_activity: now,
		external_waits: [],
		dismissed_waits: [],
	};
}

/** Adds the wait, or puts it in the place of the one of this kind and id. */
export function addWait(heartbeat: JsonObject, wait: Wait): JsonObject {
	const others = waitsOf(heartbeat.external_waits).filter(isNot(wait));
	return { ...heartbeat, external_waits: [...others, wait] };
}

/** `matched`: there was one. */
export function removeWait(
	heartbeat: JsonObject,
	wait: Wait,
): { readonly heartbeat: JsonObject; readonly matched: boolean } {
	const before = waitsOf(heartbeat.external_waits);
	const after = before.filter(isNot(wait));
	return {
		heartbeat: { ...heartbeat, external_waits: after },
		matched: after.length < before.length,
	};
}

/** Dismissed ones stay, so that they are not found again. */
export function clearWaits(heartbeat: JsonObject): JsonObject {
	return { ...heartbeat, external_waits: [] };
}

/** Not waited for, and not to be detected again. */
export function dismissWait(
	heartbeat: JsonObject,
	{ kind, id }: Wait,
): JsonObject {
	const { heartbeat: without } = removeWait(heartbeat, { kind, id });
	const others = waitsOf(heartbeat.dismissed_waits).filter(isNot({ kind, id }));
	return { ...without, dismissed_waits: [...others, { kind, id }] };
}

/** `matched`: it had been dismissed. */
export function undismissWait(
	heartbeat: JsonObject,
	wait: Wait,
): { readonly heartbeat: JsonObject; readonly matched: boolean } {
	const before = waitsOf(heartbeat.dismissed_waits);
	const after = before.filter(isNot(wait));
	return {
		heartbeat: { ...heartbeat, dismissed_waits: after },
		matched: after.length < before.length,
	};
}

/** By the worker itself: a wait that is detected again does not count. */
export function isDismissed(heartbeat: JsonObject, wait: Wait): boolean {
	return !waitsOf(heartbeat.dismissed_waits).every(isNot(wait));
}

function isNot({ kind, id }: Wait): (other: Wait) => boolean {
	return (other) => other.kind !== kind || other.id !== id;
}
