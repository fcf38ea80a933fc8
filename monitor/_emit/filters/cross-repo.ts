/** Hop 3: which comments of other repositories are told. */
import { mentions } from "../../_state/emit-block-words.ts";
import type { Block } from "../../_state/emit-blocks.ts";
import { DROP, KEEP, type Ruling } from "./ruling.ts";

export interface CrossRepoRule {
	/** `monitor.cross_repo_surface`. */
	readonly surface: string;
	/** Slug of the bot; without one nobody can be mentioned. */
	readonly bot: string;
}

/** Home comments always pass. Elsewhere `author_only` passes all, `mention_only` those that address the bot. */
export function byCrossRepo(
	block: Block,
	{ surface, bot }: CrossRepoRule,
): Ruling {
	if (!isElsewhere(block) || surface === "author_only") return KEEP;
	if (surface !== "mention_only" || bot === "" || block.body === null)
		return DROP;
	return block.addressed || mentions(block.body, bot) ? KEEP : DROP;
}

/** A comment of another repository. */
export function isElsewhere(
	block: Block,
): block is Extract<Block, { kind: "comment" }> {
	return (
		block.kind === "comment" &&
		(block.shape === "mention" || block.shape === "cross_repo")
	);
}
