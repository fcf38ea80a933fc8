/** By which name a comment is remembered, whatever its text and wherever it was found (contract 02 §10). Pure. */
import { reactionTarget } from "./emit-block-target.ts";
import type { CommentBlock } from "./emit-blocks.ts";

/** What a reaction would be put on, as one word; `home` is the configured repository. Two blocks of one stem are the same thing. */
export function targetStem(block: CommentBlock, home: string): string {
	const target = reactionTarget(block);
	const repo = (block.repo || home).toLowerCase();
	switch (target.kind) {
		case "comment":
		case "review_comment":
			return fileName(target.kind, target.id);
		case "issue":
			return fileName("issue", repo, target.number);
		case "none":
			return fileName("none", repo, block.number, block.id);
	}
}

/** The stamp of the emit cooldown: in the configured repository by id alone. */
export function cooldownStem(block: CommentBlock, home: string): string {
	return block.repo === "" && block.id !== ""
		? fileName("comment", block.id)
		: targetStem(block, home);
}

/** A part of a file's name, whatever a source let through. */
export function fileName(...parts: readonly string[]): string {
	return parts
		.join("-")
		.replace(/[^A-Za-z0-9._-]/g, "_")
		.slice(0, 200);
}
