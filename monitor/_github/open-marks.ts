/**
 * Is a comment still open, whose first page of reactions a search has brought (contract 02 §5)? One that does
 * not decide is read on, for the operator's own comments and a bounded number of calls; past that nobody knows.
 */
import {
	reactionTarget,
	sameLogin,
} from "../_state/emit-block-target.ts";
import type { CommentBlock } from "../_state/emit-blocks.ts";
import { isDecided, isEligible } from "./eligibility.ts";
import type { GitHub } from "./github.ts";
import { readReactions } from "./reactions.ts";
import type { SearchRecord } from "./search-page.ts";

export type Openness = "open" | "answered" | "unknown";

export interface OpenMarks {
	/** `block`: what the record would be told as. */
	look(record: SearchRecord, block: CommentBlock): Promise<Openness>;
	/** Records whose reactions nobody knows. */
	unknown(): number;
}

export interface OpenMarksFrom {
	readonly gitHub: Pick<GitHub, "get">;
	/** `github.user_login`. */
	readonly operator: string;
	/** `github.repo`. */
	readonly home: string;
	readonly signal: AbortSignal;
	/** What is left of the calls of this fire. */
	readonly calls: { left: number };
}

/** Calls for reactions that one fire may make. */
export const CALLS_A_FIRE = 20;

export function openMarks(from: OpenMarksFrom): OpenMarks {
	const { operator } = from;
	let unknown = 0;
	return {
		unknown: () => unknown,
		look: async (record, block) => {
			if (isDecided(record.marks, operator)) return "answered";
			if (!record.hasMoreMarks) return "open";
			// Others' comments are told to nobody, so no call is spent on them.
			if (!sameLogin(block.author, operator)) return "unknown";
			const answer = await readOn(from, block);
			if (answer === "unknown") unknown += 1;
			return answer;
		},
	};
}

async function readOn(
	{ gitHub, operator, home, signal, calls }: OpenMarksFrom,
	block: CommentBlock,
): Promise<Openness> {
	const spending: Pick<GitHub, "get"> = {
		get: async (path, call) => {
			calls.left -= 1;
			return gitHub.get(path, call);
		},
	};
	if (calls.left <= 0) return "unknown";
	const look = await readReactions(
		spending,
		block.repo || home,
		reactionTarget(block),
		(marks) => isDecided(marks, operator) || calls.left <= 0,
		signal,
	);
	if (look.kind === "unknown") return "unknown";
	if (isDecided(look.marks, operator)) return "answered";
	// Stopped for want of calls, not because everything was read.
	if (calls.left <= 0) return "unknown";
	return isEligible(look.marks, operator) ? "open" : "answered";
}
