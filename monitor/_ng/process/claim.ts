/** Taking something on: may it be, then eyes on it, then the list (contract 05 §4.2). The order is the point: what is in the list was marked. */
import { postReaction } from "../../_github/comment.ts";
import { isDecided, type Mark } from "../../_github/eligibility.ts";
import type { GhFailure } from "../../_github/errors.ts";
import { readReactions } from "../../_github/reactions.ts";
import type { Target } from "../../_state/emit-block-target.ts";
import { sameLogin, sameRepo } from "../../_state/emit-block-target.ts";
import {
	addProcessed,
	processedEntry,
} from "../../_state/processed-comments.ts";
import { heredoc } from "../heredoc.ts";
import { type NgHub, sayFailure } from "../hub.ts";
import type { NgContext } from "../verb.ts";

export interface Claim {
	readonly repo: string;
	readonly target: Exclude<Target, { kind: "none" }>;
	/** `comment` or `issue`, as the messages say it. */
	readonly noun: string;
	readonly author: string;
	/** Issue or pull request. */
	readonly number: string;
	readonly body: string;
	/** In the list of what is processed. */
	readonly entry: string;
}

/** Why the author's words are no order; null: they are. */
function authorRefusal(
	noun: string,
	author: string,
	operator: string,
): string | null {
	return sameLogin(author, operator)
		? null
		: `${noun} not authored by ${operator || "(github.user_login is not set)"} (got: ${author})`;
}

/** Why it is not to be taken on again; null: it may be. */
function markRefusal(
	noun: string,
	marks: readonly Mark[],
	operator: string,
): string | null {
	return isDecided(marks, operator)
		? `${noun} already marked processed (rocket, or non-user eyes)`
		: null;
}

/** Prints the claim on success. Exit code of the verb. */
export async function claim(
	what: Claim,
	{ gitHub, operator, stateDir }: NgHub,
	ctx: NgContext,
): Promise<0 | 1> {
	const { doors, out, err } = ctx;
	const { repo, target, noun } = what;
	const refuse = (why: string | GhFailure, line = ""): 1 => {
		if (typeof why !== "string") return sayFailure(ctx, why, line);
		err(why);
		return 1;
	};
	const stranger = authorRefusal(noun, what.author, operator);
	if (stranger !== null) return refuse(stranger);
	const look = await readReactions(gitHub, repo, target, (marks) =>
		isDecided(marks, operator),
	);
	if (look.kind === "unknown")
		return refuse(look.failure, "could not list reactions");
	const marked = markRefusal(noun, look.marks, operator);
	if (marked !== null) return refuse(marked);
	const posted = await postReaction(gitHub, repo, target, "eyes");
	if (posted.kind === "failed")
		return refuse(posted.failure, "posting eyes reaction failed");
	remember({ doors, err }, stateDir, [what.entry]);
	out(`issue=${what.number}`);
	if (target.kind !== "issue") out(`author=${what.author}`);
	for (const line of heredoc("body", what.body)) out(line);
	return 0;
}

/** The mark on GitHub stands; a list that cannot be written costs one repetition at most. */
export function remember(
	{ doors, err }: Pick<NgContext, "doors" | "err">,
	stateDir: string,
	entries: readonly string[],
): void {
	const added = addProcessed(doors.files, stateDir, entries);
	if (added.kind === "failed")
		err(`the list of processed comments could not be written: ${added.reason}`);
}

/** A bare number is the home repository's: numbers repeat elsewhere. */
export function issueEntry(
	repo: string,
	number: string,
	home: string | null,
): string {
	return home !== null && sameRepo(repo, home)
		? processedEntry.issue(number)
		: processedEntry.issueIn(repo, number);
}
