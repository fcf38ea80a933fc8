/** `ng react-issue <n> <eyes|rocket>` (contract 05 §4.4). */
import { postReaction } from "../_github/comment.ts";
import { issueEntry } from "./process/claim.ts";
import { runReact } from "./react/run.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = (args, ctx) =>
	runReact(args, ctx, {
		verb: "react-issue",
		noun: "issue",
		wanted: "an issue number",
		post: ({ gitHub }, repo, number, mood) =>
			postReaction(gitHub, repo, { kind: "issue", number }, mood),
		entries: ({ home }, repo, number) => [issueEntry(repo, number, home)],
	});
