/** Hop 8: the same alert at most once in a while. Staging is read again and again: one escalation was pasted 62 times in ten minutes. */
import { createHash } from "node:crypto";
import { type Block, bodyLineOf } from "../../_state/emit-blocks.ts";
import { fileName } from "../../_state/emit-stem.ts";
import { ageSeconds } from "../../_sys/age.ts";
import { KEEP, type Known, keepWith, type Ruling } from "./ruling.ts";

export interface AlertCooldown {
	/** The last alert of this kind that was delivered under this name. */
	readonly last: (
		name: string,
		kind: string,
	) => Known<{ readonly at: number; readonly sha: string }> | null;
	/** 0 = off. */
	readonly seconds: number;
	readonly now: number;
}

/** A recovery is of another kind and never waits for its own alert; what says something new does not wait either. */
export function byAlertCooldown(
	block: Block,
	{ last, seconds, now }: AlertCooldown,
): Ruling {
	if (block.kind !== "alert" || seconds <= 0 || block.alert === "") return KEEP;
	const kind = block.alert;
	const name = fileName(block.surface || kind);
	const sha = createHash("sha256")
		.update(`${block.header}\n${bodyLineOf(block) ?? ""}`)
		.digest("hex");
	const known = last(name, kind);
	const age = ageSeconds(now, known?.at, seconds);
	if (known === null || known.sha !== sha || age === null || age >= seconds)
		return keepWith({ of: "alert", name, kind, sha });
	return { kind: "drop", claimed: known.claimed };
}
