/** `ng nexus-identity [--upsert-overview] [--dry-run]`: which nexus is this (contract 05 §15)? */
import { findIssue } from "../_github/issue.ts";
import { patchIssueBody } from "../_github/issue-body.ts";
import { overviewNumber } from "../_github/overview.ts";
import { sameRepo } from "../_state/emit-block-target.ts";
import { readOverviewNumber } from "../_state/overview-number.ts";
import { readSettings } from "../_state/settings.ts";
import { watcherLogPath } from "../_state/watcher-log.ts";
import { watcherPidPath } from "../_state/watcher-pid.ts";
import type { Doors } from "../_sys/doors.ts";
import { plainGitEnv } from "../_sys/git-env.ts";
import { readArguments } from "./arguments.ts";
import { openHub, sayFailure } from "./hub.ts";
import {
	type IdentityFacts,
	renderIdentity,
	upsertBlock,
} from "./nexus-identity/render.ts";
import { targetRepo } from "./target.ts";
import type { NgContext, NgVerb } from "./verb.ts";

const GIT_LIMIT_MS = 5000;

export const run: NgVerb = async (args, ctx) => {
	const { doors, codeRoot, out, err } = ctx;
	const cli = readArguments(
		args,
		{
			flags: {
				"--upsert-overview": "switch",
				"--dry-run": "switch",
				"--repo": "value",
			},
		},
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const { config, home, problems } = await readSettings(doors, codeRoot, true);
	for (const line of problems) err(line);
	if (problems.length > 0) return 1;
	const { root, stateDir } = home;
	const pinned = config["github.overview_issue_number"];
	const facts: IdentityFacts = {
		root,
		host: doors.proc.hostname,
		repo: config["github.repo"] ?? "(not set)",
		overview:
			pinned === null ? readOverviewNumber(doors, stateDir) : String(pinned),
		origin: await git(doors, root, ["remote", "get-url", "origin"]),
		branch: await git(doors, root, ["symbolic-ref", "--short", "-q", "HEAD"]),
		pidFile: watcherPidPath(stateDir),
		logFile: watcherLogPath(stateDir),
	};
	if (cli.on("--upsert-overview"))
		return upsert(facts, cli.value("--repo"), cli.on("--dry-run"), ctx);
	for (const line of renderIdentity(facts)) out(line);
	return 0;
};

async function upsert(
	facts: IdentityFacts,
	given: string | undefined,
	isDry: boolean,
	ctx: NgContext,
): Promise<number> {
	const { doors, out, err } = ctx;
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const { gitHub, home, settings, stateDir } = hub;
	const repo = await targetRepo("write", given, hub, ctx);
	if (repo === null) return 1;
	const isHome = home !== null && sameRepo(repo, home);
	const found = await overviewNumber(gitHub, doors, {
		repo,
		stateDir: isHome ? stateDir : null,
		pinned: isHome ? settings.config["github.overview_issue_number"] : null,
	});
	if (found.kind === "unknown") {
		err(`nexus-identity: ${found.why}`);
		return 1;
	}
	const { number } = found;
	const issue = await findIssue(gitHub, repo, number);
	if (issue.kind === "failed")
		return sayFailure(ctx, issue.failure, `issue ${number}: fetch failed`);
	const block = renderIdentity({ ...facts, overview: number }).join("\n");
	const made = upsertBlock(issue.value.body, block);
	if (made.kind === "refused") {
		err(made.message);
		return 1;
	}
	if (isDry) {
		out(block);
		return 0;
	}
	const wrote = await patchIssueBody(
		gitHub,
		repo,
		number,
		made.body,
		"nexus-identity",
	);
	if (wrote.kind === "ok") {
		out(wrote.url);
		return 0;
	}
	err(wrote.why);
	return wrote.kind === "unverified" ? 4 : 1;
}

/** Null: git has no answer. A URL is printed without the credentials that may stand in it. */
async function git(
	{ proc }: Pick<Doors, "proc">,
	root: string,
	words: readonly string[],
): Promise<string | null> {
	const ran = await proc.exec(["git", "-C", root, ...words], {
		env: plainGitEnv(proc.env),
		timeoutMs: GIT_LIMIT_MS,
	});
	const text = ran.kind === "exited" && ran.rc === 0 ? ran.stdout.trim() : "";
	return text.replace(/^(\w+:\/\/)[^@/]*@/, "$1") || null;
}
