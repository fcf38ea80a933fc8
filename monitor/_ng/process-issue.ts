/** `ng process-issue <n> [--repo o/n]`: takes an operator's issue on (contract 05 §4.3). */
import { findIssue } from "../_github/issue.ts";
import { issueEntry } from "./process/claim.ts";
import { runProcess } from "./process/run.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = (args, ctx) =>
	runProcess(args, ctx, {
		verb: "process-issue",
		noun: "issue",
		wanted: "an issue number",
		find: async ({ gitHub }, repo, number) => {
			const found = await findIssue(gitHub, repo, number);
			if (found.kind === "failed") return found;
			const { author, body } = found.value;
			const target = { kind: "issue", number } as const;
			return { kind: "ok", author, number, body, target };
		},
		entry: ({ home }, repo, number) => issueEntry(repo, number, home),
	});
