/** Has anybody answered a comment that waits in the registry (contract 02 §12)? */
import {
	reactionTarget,
	sameLogin,
	type Target,
} from "../_state/emit-block-target.ts";
import type { CommentBlock } from "../_state/emit-blocks.ts";
import type { Mark } from "./eligibility.ts";
import type { GitHub } from "./github.ts";
import { readReactions, targetState } from "./reactions.ts";

export type MentionLook =
	| { readonly kind: "rocket" | "eyes" | "eyes-closed" | "none" }
	/** Could not look, and may be able to next time. */
	| { readonly kind: "unknown" }
	/** There is nothing at that address, or no address: nothing will ever be seen there. */
	| { readonly kind: "lost"; readonly target: string };

export interface MentionLookFrom {
	readonly gitHub: Pick<GitHub, "get">;
	/** `github.user_login`: reactions of anybody else count. */
	readonly operator: string;
	/** Eyes on a closed issue end it; else that is not asked. */
	readonly closedEnds: boolean;
	readonly signal: AbortSignal;
}

/** Reads on until a rocket decides, or to the end: a rocket beats eyes, wherever it stands. */
export async function lookAtMention(
	{ gitHub, operator, closedEnds, signal }: MentionLookFrom,
	block: CommentBlock,
): Promise<MentionLook> {
	const target = reactionTarget(block);
	if (target.kind === "none") return { kind: "lost", target: "none" };
	const has = (content: string) => (marks: readonly Mark[]) =>
		marks.some(
			(mark) =>
				mark.content === content &&
				(mark.user === null || !sameLogin(mark.user, operator)),
		);
	const rocket = has("ROCKET");
	const look = await readReactions(gitHub, block.repo, target, rocket, signal);
	if (look.kind === "unknown")
		return look.failure.kind === "not_found"
			? { kind: "lost", target: targetText(target) }
			: { kind: "unknown" };
	if (rocket(look.marks)) return { kind: "rocket" };
	if (!has("EYES")(look.marks)) return { kind: "none" };
	if (!closedEnds) return { kind: "eyes" };
	const state = await targetState(gitHub, block.repo, block.number, signal);
	return { kind: state === "closed" ? "eyes-closed" : "eyes" };
}

function targetText(target: Exclude<Target, { kind: "none" }>): string {
	return `${target.kind}:${target.kind === "issue" ? target.number : target.id}`;
}
