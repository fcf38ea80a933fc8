/** Has the orchestrator answered the last report, or is it wedged? (contract 04 §16.) Pure. */
import { ageSeconds } from "../../_sys/age.ts";

export interface LivenessFacts {
	/** Epoch seconds. */
	readonly now: number;
	/** In the grace after a clock gap. */
	readonly afterGap: boolean;
	/** Of the last delivered report: read once, so that a paste in between cannot make two answers of it. */
	readonly lastPaste: number | "none" | "invalid";
	/** Epoch seconds of the signs of life: the two stamps, the pinned transcript, its tool results; null = none. */
	readonly signals: readonly (number | null)[];
	/** The episode's markers, epoch seconds; null = none. */
	readonly since: number | null;
	readonly resubmitAt: number | null;
	/** When the last clock gap's grace ended; null = there was none. Time that nobody lived through is no silence. */
	readonly gapEndedAt: number | null;
}
/** Seconds. */
export interface LivenessLimits {
	readonly grace: number;
	readonly ceiling: number;
	/** After its clamp. */
	readonly dead: number;
	readonly unstick: number;
}

export type LivenessWord =
	| "healthy"
	| "waiting"
	| "resubmit"
	| "respawn"
	| "blocked-by-cooldown";
export interface Liveness {
	readonly word: LivenessWord;
	/** `dead-threshold`, `within-grace`, …: what the line names as `reason=`. */
	readonly reason: string;
	/** Further `key=value` words of the line. */
	readonly details: string;
}

/** First rule that matches. */
export function decideLiveness(f: LivenessFacts, l: LivenessLimits): Liveness {
	if (f.afterGap) return verdict("healthy", "clock-gap");
	const paste = f.lastPaste;
	if (paste === "none") return verdict("healthy", "no-paste-yet");
	if (paste === "invalid") return verdict("healthy", "paste-ts-invalid");
	if (paste === 0) return verdict("healthy", "paste-ts-zero");
	const from = Math.max(paste, f.gapEndedAt ?? paste);
	const age = Math.max(0, Math.floor(f.now - from));
	if (age <= l.grace)
		return verdict("healthy", "within-grace", `age=${age}s grace=${l.grace}s`);
	if (age >= l.ceiling)
		return verdict(
			"healthy",
			"paste-too-stale",
			`age=${age}s ceiling=${l.ceiling}s`,
		);
	if (f.signals.some((at) => isAnswer(at, paste, f.now, l.grace)))
		return verdict("healthy", "signal-past-paste", `age=${age}s`);
	const elapsed = f.since === null ? 0 : ageOf(f.now, f.since);
	if (age >= l.dead)
		return verdict(
			"respawn",
			"dead-threshold",
			`age=${age}s dead_threshold=${l.dead}s elapsed_unstick=${elapsed}s last_paste_ts=${paste}`,
		);
	if (f.resubmitAt !== null) {
		const tried = ageOf(f.now, f.resubmitAt);
		const details = `age=${age}s resubmit_age=${tried}s grace=${l.grace}s`;
		return tried > l.grace
			? verdict("respawn", "resubmit-failed", details)
			: verdict("waiting", "resubmit-pending", details);
	}
	const details = `age=${age}s elapsed=${elapsed}s window=${l.unstick}s`;
	return f.since !== null && elapsed >= l.unstick
		? verdict("resubmit", "unstick-window-exhausted", details)
		: verdict("waiting", "unstick-window", details);
}

/**
 * In whole seconds, as the paste is: the receipt of the paste itself, a moment before its proof, is no answer. Nor is a
 * stamp from before a clock that stepped back.
 */
function isAnswer(
	at: number | null,
	paste: number,
	now: number,
	grace: number,
): boolean {
	const isCredible = ageSeconds(now, at, grace) !== null;
	return at !== null && isCredible && Math.floor(at) > paste;
}

export interface FireFacts {
	readonly now: number;
	/** mtime of the cooldown file; null: there was no replacement yet. */
	readonly lastSpawnAt: number | null;
	readonly cooldownSeconds: number;
	/** Within an hour after a clock gap: a replacement needs its third verdict in a row. */
	readonly isSuspicious: boolean;
	/** Verdicts `respawn` in a row before this one. */
	readonly streak: number;
}

const CONFIRMATIONS = 3;

/** May a verdict `respawn` fire now? Every other verdict stays as it is. */
export function gateRespawn(decided: Liveness, f: FireFacts): Liveness {
	if (decided.word !== "respawn") return decided;
	const age = f.lastSpawnAt === null ? null : ageOf(f.now, f.lastSpawnAt);
	const cooldown = `cooldown_age=${age ?? "never"}/${f.cooldownSeconds}`;
	const details = `${decided.details} ${cooldown}`;
	// A stamp further ahead than the pause itself is not credible.
	const isFuture =
		f.lastSpawnAt !== null && f.lastSpawnAt - f.now > f.cooldownSeconds;
	if (age !== null && !isFuture && age < f.cooldownSeconds)
		return { ...decided, word: "blocked-by-cooldown", details };
	const nth = f.streak + 1;
	if (f.isSuspicious && nth < CONFIRMATIONS)
		return verdict("waiting", "confirming", `${nth}/${CONFIRMATIONS}`);
	return { ...decided, details };
}

/** As it stands in the log. */
export function livenessLine(v: Liveness): string {
	const reason =
		v.word === "blocked-by-cooldown"
			? `respawn reason=${v.reason}`
			: `reason=${v.reason}`;
	return [v.word, reason, v.details].filter((w) => w !== "").join(" ");
}

/** `details` are for the log. */
export function verdict(
	word: LivenessWord,
	reason: string,
	details = "",
): Liveness {
	return { word, reason, details };
}

function ageOf(now: number, at: number): number {
	return Math.max(0, Math.floor(now - at));
}
