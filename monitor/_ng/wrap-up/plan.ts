/**
 * What is to be done about the comment (contract 05 §8.3). Pure. A retry after a rocket had failed once doubled the
 * comment; the first cure kept the old link and so published the uncorrected report; the next dropped a supplied text.
 */
import { sameText } from "../../_github/comment-cas.ts";
import { hasLinkTo, replaceAssetLinks } from "./links.ts";

/** The comment that an earlier run left, as it stands now. */
export interface PriorComment {
	readonly body: string;
	/** The report's address when that run was logged; null: not known. */
	readonly assetUrl: string | null;
}

export interface CommentFacts {
	/** Null: no earlier run left one, or it is gone. */
	readonly prior: PriorComment | null;
	readonly body: string;
	/** The text came from a file, and is not a retelling of the report. */
	readonly isSupplied: boolean;
	readonly basename: string;
	readonly url: string;
}

export type CommentPlan =
	| { readonly kind: "post" }
	| {
			readonly kind: "keep";
			/** The text with its links brought up to date; null: they are. */
			readonly repointed: string | null;
			readonly outcome: "updated" | "nothing-published";
	  }
	| {
			readonly kind: "replace" | "post-beside";
			readonly repointed: string | null;
	  };

/** `repointed` is the earlier comment with its links on the new address, null when they are there already. */
export function planComment(f: CommentFacts): CommentPlan {
	const { prior, body, basename, url } = f;
	if (prior === null || !hasLinkTo(prior.body, basename))
		return { kind: "post" };
	const current = replaceAssetLinks(prior.body, basename, url);
	const repointed = sameWords(current, prior.body) ? null : current;
	if (!sameWords(current, body))
		return { kind: f.isSupplied ? "post-beside" : "replace", repointed };
	const hasMoved =
		prior.assetUrl === null ? repointed !== null : prior.assetUrl !== url;
	return {
		kind: "keep",
		repointed,
		outcome: hasMoved ? "nothing-published" : "updated",
	};
}

/** Line ends at the end are not kept by everybody. */
function sameWords(a: string, b: string): boolean {
	return sameText(a.trimEnd(), b.trimEnd());
}
