/**
 * Is a comment still open, whose first page of reactions a search has brought (contract 02 §5)? One that does
 * not decide is read on, for the operator's own comments and a bounded number of calls; past that nobody knows.
 */
import { reactionTarget, sameLogin } from "../_state/emit-block-target.ts";
import type { CommentBlock } from "../_state/emit-blocks.ts";
import { isDecided } from "./eligibility.ts";
import { failure } from "./errors.ts";
import type { GitHub } from "./github.ts";
import { readReactions } from "./reactions.ts";
import type { SearchRecord } from "./search-page.ts";

export type Openness = "open" | "answered" | "unknown";

export interface OpenMarks {
	/** `block`: what the record would be told as. */
	look(record: SearchRecord, block: CommentBlock): Promise<Openness>;
	/** Comments of the operator's whose reactions nobody knows, so far. */
	unknown(): number;
}

export interface OpenMarksFrom {
	readonly gitHub: Pick<GitHub, "get">;
	/** `github.user_login`. */
	readonly operator: string;
	/** `github.repo`. */
	readonly home: string;
	readonly signal: AbortSignal;
}

/** How many calls there may be is up to `from.gitHub`: see `atMost`. */
export function openMarks(from: OpenMarksFrom): OpenMarks {
	const { gitHub, operator, home, signal } = from;
	let unknown = 0;
	return {
		unknown: () => unknown,
		look: async (record, block) => {
			const decided = (marks: SearchRecord["marks"]) =>
				isDecided(marks, operator);
			if (decided(record.marks)) return "answered";
			if (!record.hasMoreMarks) return "open";
			// Others' comments are told to nobody, so no call is spent on them.
			if (!sameLogin(block.author, operator)) return "unknown";
			const look = await readReactions(
				gitHub,
				block.repo || home,
				reactionTarget(block),
				decided,
				signal,
			);
			if (look.kind === "marks")
				return decided(look.marks) ? "answered" : "open";
			unknown += 1;
			return "unknown";
		},
	};
}

/** The same door, which answers no more once `most` calls were made. */
export function atMost(
	most: number,
	gitHub: Pick<GitHub, "get">,
): Pick<GitHub, "get"> {
	let left = most;
	return {
		get: async (path, call) => {
			if (left <= 0)
				return {
					kind: "failed",
					failure: failure("client", {
						message: `more than ${most} calls for reactions`,
						sent: false,
					}),
				};
			left -= 1;
			return gitHub.get(path, call);
		},
	};
}
