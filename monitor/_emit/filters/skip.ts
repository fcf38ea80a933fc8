/** Hop 2: a comment that asks not to be heard. */
import { asksToSkip } from "../../_state/emit-block-words.ts";
import type { Block } from "../../_state/emit-blocks.ts";
import { DROP, KEEP, type Ruling } from "./ruling.ts";

/** `skip` stands for a marker behind the end of the preview. */
export function bySkipMarker(block: Block): Ruling {
	if (block.kind !== "comment") return KEEP;
	return block.skip || asksToSkip(block.body ?? "") ? DROP : KEEP;
}
