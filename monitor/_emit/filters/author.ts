/** Hop 1, the security boundary: only what the operator wrote is told. No source may rely on having filtered itself. */
import { sameLogin } from "../../_state/emit-block-target.ts";
import type { Block } from "../../_state/emit-blocks.ts";
import { DROP, KEEP, type Ruling } from "./ruling.ts";

/** Without an operator nobody is. */
export function byAuthor(block: Block, operator: string): Ruling {
	if (block.kind !== "comment") return KEEP;
	return sameLogin(block.author, operator) ? KEEP : DROP;
}
