/** How far a branch is ahead of a commit (contract 06 §10). */
import type { GitHub } from "./github.ts";
import { at, textAt } from "./json-look.ts";
import type { Answer } from "./send.ts";
import { ownerAndName } from "./target-repo.ts";

export interface Comparison {
	readonly aheadBy: number;
	/** Committer's date of the oldest commit that the base lacks, epoch seconds; null: not told. */
	readonly oldestAt: number | null;
}

/** `repo`: `owner/name`. */
export function compareCommits(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	{ base, head }: { readonly base: string; readonly head: string },
	limit: { readonly deadlineMs: number; readonly signal?: AbortSignal },
): Promise<Answer<Comparison>> {
	return gitHub.rest(
		"GET /repos/{owner}/{repo}/compare/{basehead}",
		{ ...ownerAndName(repo), basehead: `${base}...${head}`, per_page: 1 },
		{ ...limit, read: readComparison },
	);
}

/** `identical` and `behind` have nothing ahead, whatever else is said. */
export function readComparison(data: unknown): Comparison | null {
	const status = textAt(data, "status");
	const aheadBy = at(data, "ahead_by");
	if (typeof aheadBy !== "number" || !Number.isInteger(aheadBy)) return null;
	if (status === "identical" || status === "behind")
		return { aheadBy: 0, oldestAt: null };
	const commits = at(data, "commits");
	const first: unknown = Array.isArray(commits) ? commits[0] : undefined;
	const date = textAt(first, "commit", "committer", "date");
	const ms = date === null ? Number.NaN : Date.parse(date);
	return {
		aheadBy,
		oldestAt: Number.isNaN(ms) ? null : Math.floor(ms / 1000),
	};
}
