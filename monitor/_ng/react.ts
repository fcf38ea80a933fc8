/** `ng react <comment-id> <eyes|rocket>` (contract 05 §4.4): marks without asking whether it may be; GitHub takes a repeat for the first one. */
import { type Mood, reactToComment } from "../_github/comment.ts";
import { processedEntry } from "../_state/processed-comments.ts";
import { runReact } from "./react/run.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = (args, ctx) =>
	runReact(args, ctx, {
		verb: "react",
		noun: "comment",
		wanted: "the id of a comment",
		post: ({ gitHub }, repo, id, mood) =>
			reactToComment(gitHub, repo, id, mood),
		entries: (_hub, _repo, id, mood) => commentEntries(id, mood),
	});

/** A rocket ends the matter for good, so it is written besides. */
function commentEntries(id: string, mood: Mood): readonly string[] {
	return mood === "rocket"
		? [processedEntry.comment(id), processedEntry.rocket(id)]
		: [processedEntry.comment(id)];
}
