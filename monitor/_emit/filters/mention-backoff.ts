/** Hop 7: a comment of another repository at most once in a while, whatever its text: an edited one arrives with two within seconds. */
import type { Block } from "../../_state/emit-blocks.ts";
import { targetStem } from "../../_state/emit-stem.ts";
import { ageSeconds } from "../../_sys/age.ts";
import { isElsewhere } from "./cross-repo.ts";
import { KEEP, type Known, keepWith, type Ruling } from "./ruling.ts";

export interface MentionBackoff {
	/** Epoch seconds of the last delivery under this stem. */
	readonly last: (stem: string) => Known<{ readonly at: number }> | null;
	/** 0 = off. */
	readonly seconds: number;
	readonly now: number;
	readonly home: string;
}

/** Home comments always pass; `seconds` 0 turns the hop off. An age that is not credible keeps. */
export function byMentionBackoff(
	block: Block,
	{ last, seconds, now, home }: MentionBackoff,
): Ruling {
	if (!isElsewhere(block) || seconds <= 0) return KEEP;
	const stem = targetStem(block, home);
	const known = last(stem);
	const age = ageSeconds(now, known?.at, seconds);
	if (known === null || age === null || age >= seconds)
		return keepWith({ of: "mention", stem });
	return { kind: "drop", claimed: known.claimed };
}
