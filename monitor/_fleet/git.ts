/** Questions to git about branches and worktrees, with "could not look" as an answer. */
import type { Proc } from "../_sys/doors.ts";
import { plainGitEnv } from "../_sys/git-env.ts";
import { fail, ok } from "./failure.ts";
import type { R } from "./fleet.ts";

/** A checkout of a large repository takes its time. */
const LIMIT_MS = 90_000;

type Git = Pick<Proc, "exec" | "env">;

/** Standard output without its last newline. */
export async function git(
	proc: Git,
	cwd: string,
	...words: readonly string[]
): R<string> {
	const done = await proc.exec(["git", ...words], {
		timeoutMs: LIMIT_MS,
		cwd,
		env: plainGitEnv(proc.env),
	});
	switch (done.kind) {
		case "exited":
			return done.rc === 0
				? ok(done.stdout.replace(/\n$/, ""))
				: fail("failed", gitWords(words, done.stderr), done.rc);
		case "timeout":
			return fail("timeout", gitWords(words, "no answer in time"));
		default:
			return fail("failed", gitWords(words, done.kind));
	}
}

/** `rev-parse --verify --quiet` ends with 1 for an absent branch; anything else is git's failure, not "absent". */
export async function branchExists(
	proc: Git,
	cwd: string,
	branch: string,
): R<boolean> {
	const ref = `refs/heads/${branch}`;
	const found = await git(proc, cwd, "rev-parse", "--verify", "--quiet", ref);
	if (found.kind === "ok") return ok(true);
	return found.kind === "failed" && found.exitCode === 1 ? ok(false) : found;
}

/** How many commits of a branch are on no other. */
export async function ownCommits(
	proc: Git,
	cwd: string,
	branch: string,
): R<number> {
	const ref = `refs/heads/${branch}`;
	const words = ["rev-list", "--count", ref, "--not", `--exclude=${ref}`];
	// Else the HEAD of the worktree that stands on it would count as another branch.
	const others = ["--single-worktree", "--all"];
	const alone = await git(proc, cwd, ...words, ...others);
	return alone.kind === "ok" ? ok(Number(alone.value)) : alone;
}

/** The branch that is checked out; null on a detached HEAD. */
export async function currentBranch(proc: Git, cwd: string): R<string | null> {
	const head = await git(
		proc,
		cwd,
		"symbolic-ref",
		"--quiet",
		"--short",
		"HEAD",
	);
	if (head.kind === "ok") return ok(head.value);
	return head.kind === "failed" && head.exitCode === 1 ? ok(null) : head;
}

export interface GitWorktree {
	readonly path: string;
	/** Null: detached or bare. */
	readonly branch: string | null;
}

/** Of the repository that `cwd` is in, the main one first. */
export async function listWorktrees(
	proc: Git,
	cwd: string,
): R<readonly GitWorktree[]> {
	const listed = await git(proc, cwd, "worktree", "list", "--porcelain");
	return listed.kind === "ok" ? ok(parseWorktrees(listed.value)) : listed;
}

function parseWorktrees(text: string): readonly GitWorktree[] {
	return text.split("\n\n").flatMap((block) => {
		const path = /^worktree (.+)$/m.exec(block)?.[1];
		const branch = /^branch refs\/heads\/(.+)$/m.exec(block)?.[1] ?? null;
		return path === undefined ? [] : [{ path, branch }];
	});
}

function gitWords(words: readonly string[], why: string): string {
	return `git ${words.slice(0, 2).join(" ")}: ${why.trim()}`;
}
