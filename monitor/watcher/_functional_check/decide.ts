/** Did the bot react to what it was told? (contract 02 §13.) Pure. */
import type { CheckRow } from "../../_state/functional-check.ts";

/** What GitHub says of one comment of an emit: the bot has reacted, has not, or nobody could look. */
export type Reaction = "reacted" | "silent" | "failed";

export interface CheckedEmit {
	readonly ageSeconds: number;
	/** One for each comment that the bot could react to. */
	readonly reactions: readonly Reaction[];
}

export interface CheckFacts {
	/** 0 = off. */
	readonly slaSeconds: number;
	readonly hasBot: boolean;
	/** Emits young enough to be judged. */
	readonly emits: readonly CheckedEmit[];
}

export interface CheckVerdict {
	/** Begins with `stale`, `healthy` or `bypass`. */
	readonly text: string;
	/** Null: nothing was checked. */
	readonly row: CheckRow | null;
}

/** Stale only when no emit that could be judged was reacted to in time; a row is kept where something was judged. */
export function functionalCheckDecide({
	slaSeconds,
	hasBot,
	emits,
}: CheckFacts): CheckVerdict {
	if (slaSeconds === 0) return { text: "bypass reason=disabled", row: null };
	if (!hasBot) return { text: "bypass reason=no-bot-login", row: null };
	if (emits.length === 0) return bypass("no-recent-emits");
	const classes = emits.flatMap((emit) => classOf(emit, slaSeconds) ?? []);
	if (classes.length === 0) return bypass("no-eligible-comments");
	const count = (of: EmitClass) => classes.filter((c) => c === of).length;
	const n = {
		emits: classes.length,
		processed: count("processed"),
		stale: count("stale"),
	};
	const [unknown, inProgress] = [count("unknown"), count("in-progress")];
	const counts = `n_emits=${n.emits} n_processed=${n.processed} n_stale=${n.stale}`;
	if (n.stale > 0 && n.stale === n.emits) {
		const reason = "all-emits-unprocessed-past-SLA";
		return {
			text: `stale reason=${reason} ${counts} sla=${slaSeconds}s`,
			row: { ...n, decision: `stale-${reason}` },
		};
	}
	const tag = healthyTag(n.processed, n.stale, unknown, inProgress);
	return {
		text: `healthy reason=${tag} ${counts} n_unknown=${unknown} n_in_progress=${inProgress} sla=${slaSeconds}s`,
		row: { ...n, decision: tag },
	};
}

type EmitClass = "processed" | "unknown" | "stale" | "in-progress";

/** Null: nothing in it to judge. */
function classOf(
	{ ageSeconds, reactions }: CheckedEmit,
	slaSeconds: number,
): EmitClass | null {
	if (reactions.length === 0) return null;
	if (reactions.includes("reacted")) return "processed";
	if (reactions.every((one) => one === "failed")) return "unknown";
	return ageSeconds >= slaSeconds ? "stale" : "in-progress";
}

function healthyTag(
	processed: number,
	stale: number,
	unknown: number,
	inProgress: number,
): string {
	if (processed > 0) return "healthy-with-processed";
	if (inProgress > 0 && stale === 0) return "healthy-in-progress";
	if (unknown > 0 && stale === 0) return "healthy-unknown-no-stale";
	return "healthy";
}

function bypass(reason: string): CheckVerdict {
	const row = { emits: 0, processed: 0, stale: 0 };
	return {
		text: `bypass reason=${reason}`,
		row: { ...row, decision: `bypass-${reason}` },
	};
}
