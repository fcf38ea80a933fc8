/** Hop 4: one thing is told once, whichever sources found it; the first of them wins, with its text. */
import type { Block } from "../../_state/emit-blocks.ts";
import { targetStem } from "../../_state/emit-stem.ts";
import { DROP, KEEP, type Ruling } from "./ruling.ts";

/** `seen`: keys of what stands in front. */
export function bySameTarget(
	block: Block,
	seen: ReadonlySet<string>,
	home: string,
): Ruling {
	const key = sameTargetKey(block, home);
	return key !== null && seen.has(key) ? DROP : KEEP;
}

/** By what a reaction would be put on: the bare id made issue 7 of two repositories one. Null: not a comment. */
export function sameTargetKey(block: Block, home: string): string | null {
	return block.kind === "comment" ? targetStem(block, home) : null;
}
