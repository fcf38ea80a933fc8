/** `ng process <comment-id> [--repo o/n]`: takes an operator's comment on (contract 05 §4.2). */
import { findComment } from "../_github/comment.ts";
import { processedEntry } from "../_state/processed-comments.ts";
import { runProcess } from "./process/run.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = (args, ctx) =>
	runProcess(args, ctx, {
		verb: "process",
		noun: "comment",
		wanted: "the id of a comment",
		find: async ({ gitHub }, repo, id) => {
			const found = await findComment(gitHub, repo, id);
			if (found.kind === "failed") return found;
			const { author, number, body } = found.comment;
			return { kind: "ok", author, number, body, target: found.target };
		},
		entry: (_hub, _repo, id) => processedEntry.comment(id),
	});
