/** Hop 9: a comment with the same text at most once in a while; an edited one passes at once. */
import { createHash } from "node:crypto";
import { type Block, bodyLineOf } from "../../_state/emit-blocks.ts";
import { cooldownStem } from "../../_state/emit-stem.ts";
import { ageSeconds } from "../../_sys/age.ts";
import { KEEP, type Known, keepWith, type Ruling } from "./ruling.ts";

export interface EmitCooldown {
	/** The last delivery under this stem. */
	readonly last: (
		stem: string,
	) => Known<{ readonly at: number; readonly bodySha: string }> | null;
	/** 0 = off. */
	readonly seconds: number;
	readonly now: number;
	readonly home: string;
}

/** `last` looks up a stem's newest delivery; `seconds` 0 turns the hop off. An age that is not credible keeps. */
export function byCooldown(
	block: Block,
	{ last, seconds, now, home }: EmitCooldown,
): Ruling {
	if (block.kind !== "comment" || seconds <= 0) return KEEP;
	const stem = cooldownStem(block, home);
	const bodySha = createHash("sha256")
		.update(bodyLineOf(block) ?? "")
		.digest("hex");
	const known = last(stem);
	const age = ageSeconds(now, known?.at, seconds);
	if (
		known === null ||
		known.bodySha !== bodySha ||
		age === null ||
		age >= seconds
	)
		return keepWith({ of: "comment", stem, bodySha });
	return { kind: "drop", claimed: known.claimed };
}
