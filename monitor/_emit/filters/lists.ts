/** Hops 5 and 6: what the operator has silenced, and what the bot has reacted on since a source looked. */
import type { Block } from "../../_state/emit-blocks.ts";
import { isHandled } from "../../_state/processed-comments.ts";
import { DROP, KEEP, type Ruling } from "./ruling.ts";

/** By the comment's id; alerts are never silenced here. */
export function bySuppression(
	block: Block,
	suppressed: ReadonlySet<string>,
): Ruling {
	return block.kind === "comment" && suppressed.has(block.id) ? DROP : KEEP;
}

/** Those of other repositories pass: whether one was answered is the registry's business. */
export function byProcessed(
	block: Block,
	processed: ReadonlySet<string>,
): Ruling {
	return block.kind === "comment" &&
		block.repo === "" &&
		isHandled(block, processed)
		? DROP
		: KEEP;
}
