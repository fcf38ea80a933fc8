/** `ng pr merge <n> [--squash|--merge|--rebase] [--sha s] [--delete-branch]` (contract 05 §5.6). */
import { failureLine } from "../../_github/errors.ts";
import {
	deleteBranch,
	findPull,
	type MergeMethod,
	mergePull,
} from "../../_github/pull.ts";
import { sameRepo } from "../../_state/emit-block-target.ts";
import { isNumber, readArguments } from "../arguments.ts";
import { openHub, sayFailure } from "../hub.ts";
import { targetRepo } from "../target.ts";
import type { NgVerb } from "../verb.ts";

const METHODS: readonly MergeMethod[] = ["squash", "merge", "rebase"];

export const run: NgVerb = async (args, ctx) => {
	const { out, err } = ctx;
	const cli = readArguments(
		args,
		{
			flags: {
				"--squash": "switch",
				"--merge": "switch",
				"--rebase": "switch",
				"--delete-branch": "switch",
				"--sha": "value",
				"--repo": "value",
			},
			maxPositionals: 1,
		},
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [number] = cli.positionals;
	const chosen = METHODS.filter((method) => cli.on(`--${method}`));
	if (!isNumber(number) || chosen.length > 1) {
		err(
			"pr merge needs a number, and at most one of --squash, --merge, --rebase",
		);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const { gitHub } = hub;
	const repo = await targetRepo("write", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const pull = await findPull(gitHub, repo, number);
	if (pull.kind === "failed")
		return sayFailure(
			ctx,
			pull.failure,
			`pull request ${number}: fetch failed`,
		);
	const { headRef, headRepo, headSha } = pull.value;
	const merged = await mergePull(gitHub, repo, number, {
		method: chosen[0] ?? "squash",
		sha: cli.value("--sha") ?? headSha,
	});
	if (merged.kind === "failed")
		return sayFailure(
			ctx,
			merged.failure,
			`merge of pull request ${number} failed`,
		);
	out(merged.value);
	if (!cli.on("--delete-branch")) return 0;
	if (headRepo === null || !sameRepo(headRepo, repo)) {
		// A branch of that name here would be somebody else's.
		err(`WARNING: branch ${headRef} is of a fork, and is left there`);
		return 0;
	}
	const gone = await deleteBranch(gitHub, repo, headRef);
	if (gone.kind === "failed")
		err(
			`WARNING: branch ${headRef} is still there: ${failureLine(gone.failure)}`,
		);
	return 0;
};
