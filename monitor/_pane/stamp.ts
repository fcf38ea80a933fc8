/** Witness of a usage limit: is the stamp that a hook left still true (contract 03 §11)? Pure. */
import type { Heartbeat } from "../_state/heartbeat.ts";
import type { OverLimitStamp } from "../_state/over-limit-stamp.ts";
import { resetInstant } from "../_state/reset-token.ts";
import { resetToken } from "../_state/reset-words.ts";
import { isForeign } from "./heartbeat.ts";
import { limitFlavour } from "./limit.ts";

export interface StampWitness {
	/** Only `valid` suspends. `expired` and `superseded` files are to be removed; a foreign one is kept. */
	readonly kind: "none" | "valid" | "foreign" | "expired" | "superseded";
	readonly why: string;
	readonly resetAt: string;
	/** Reset words, or the message where it has none. */
	readonly words: string;
	readonly flavour: string;
}
export interface StampContext {
	readonly now: number;
	readonly sessionId: string | null;
	readonly heartbeat: Heartbeat | null;
	/** mtime of `orchestrator-heartbeat` when the window is the orchestrator's and has no heartbeat file; epoch seconds. */
	readonly orchestratorSeenAt: number | null;
	/** `MONITOR_OVER_LIMIT_STAMP_TTL_SECONDS`. */
	readonly ttlSeconds: number;
	/** IANA name; default the host's. */
	readonly hostZone?: string;
}

export const DEFAULT_STAMP_TTL_SECONDS = 97_200;

export const NO_STAMP: StampWitness = {
	kind: "none",
	why: "no over-limit stamp",
	resetAt: "unknown",
	words: "",
	flavour: "unknown",
};

/**
 * `valid` only for this session, before its reset, and with nothing newer from the pane's other witnesses; the others
 * say why not.
 */
export function judgeStamp(
	stamp: OverLimitStamp | null,
	ctx: StampContext,
): StampWitness {
	if (stamp === null) return NO_STAMP;
	const resetAt = resetToken(stamp.resetAt ?? "");
	const said = {
		resetAt,
		words: stamp.resetAt ?? stamp.message,
		flavour: limitFlavour(stamp.message),
	};
	if (isForeign(stamp.sessionId, ctx.sessionId))
		return { ...said, kind: "foreign", why: `session ${stamp.sessionId}` };
	const over = whyOver(stamp.at, resetAt, ctx);
	if (over !== null) return { ...said, kind: "expired", why: over };
	const newer = whySuperseded(stamp.at, ctx);
	if (newer !== null) return { ...said, kind: "superseded", why: newer };
	return { ...said, kind: "valid", why: `resets ${resetAt}` };
}

/** A session that used a tool, asked or ended a turn after the stamp is not suspended. */
const PROOFS_OF_WORK = new Set(["PostToolUse", "PermissionRequest", "Stop"]);
const GRACE_SECONDS = 3600;

/** A missed clear must never latch: a stamp ends with the reset it knows, else with its time to live. */
function whyOver(
	at: number | null,
	resetAt: string,
	{ now, ttlSeconds, hostZone }: StampContext,
): string | null {
	if (at === null) return "no time";
	if (at - now > ttlSeconds) return `${at - now} s ahead of the clock`;
	const reset = resetInstant(resetAt, at, hostZone);
	if (reset.kind === "known") {
		const end = Math.max(reset.at, at) + GRACE_SECONDS;
		return now > end ? `reset passed ${now - reset.at} s ago` : null;
	}
	return now - at > ttlSeconds ? `${now - at} s old` : null;
}

/** Not by a submitted prompt, which our own paste causes, nor by an idle notice, which a suspended pane sends too. */
function whySuperseded(at: number | null, ctx: StampContext): string | null {
	const since = at ?? 0;
	const { heartbeat, orchestratorSeenAt } = ctx;
	if (heartbeat === null)
		return orchestratorSeenAt !== null && orchestratorSeenAt > since
			? "the orchestrator was active after it"
			: null;
	const { event, state, lastActivity } = heartbeat;
	if (event === null || lastActivity === null || lastActivity <= since)
		return null;
	const works =
		PROOFS_OF_WORK.has(event) ||
		(event === "Notification" && state === "permission_prompt");
	return works ? `${event} after it` : null;
}
