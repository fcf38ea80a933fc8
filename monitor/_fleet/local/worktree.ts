/** A worktree of its own for an agent, with git (contract 09 §6.3). */
import { basename, join } from "node:path";
import { readFleetConfig } from "../../_state/fleet/fleet-config.ts";
import { writeRedirect } from "../../_state/fleet/redirect.ts";
import { registry } from "../../_state/fleet/registry.ts";
import { fail, ok } from "../failure.ts";
import type { Done, Fleet, FleetFailure, R, Worktree } from "../fleet.ts";
import {
	branchExists,
	currentBranch,
	git,
	listWorktrees,
	ownCommits,
} from "../git.ts";
import type { LocalContext } from "./context.ts";
import { ensureFleetStore } from "./store.ts";

/** See `Fleet` for what each promises; nothing is removed that holds work. */
export function localWorktrees(
	ctx: LocalContext,
): Pick<Fleet, "worktreeCreate" | "worktreeRemove"> {
	return {
		worktreeCreate: (name, o = {}) => create(ctx, name, o),
		worktreeRemove: (worktree, name, o) => remove(ctx, worktree, name, o),
	};
}

/** Where the worktree of this name stands or would stand; `trees[0]` is the repository's own checkout. */
export async function worktreePath(ctx: LocalContext, name: string): R<string> {
	if (name === "" || /[/\\]|\.\./.test(name))
		return fail("usage", `no name for a worktree: ${name}`);
	const { doors, place } = ctx;
	const trees = await listWorktrees(doors.proc, place.repoRoot);
	if (trees.kind !== "ok") return trees;
	const root = trees.value[0]?.path ?? place.repoRoot;
	const config = readFleetConfig(doors.files, place.thrumDir);
	if (config.kind === "unusable") return fail("refused", config.why);
	const home = doors.proc.env.HOME ?? "/";
	const base = config.config.worktreeBase ?? join(home, ".thrum/worktrees");
	const repo = basename(root);
	const folder = basename(base) === repo ? base : join(base, repo);
	const path = join(folder, name);
	return path === root || path === place.repoRoot
		? fail("refused", `${path} is the repository itself`)
		: ok(path);
}

async function create(
	ctx: LocalContext,
	name: string,
	o: { readonly branch?: string; readonly base?: string },
): R<Worktree> {
	const { proc } = ctx.doors;
	const { repoRoot } = ctx.place;
	const path = await worktreePath(ctx, name);
	if (path.kind !== "ok") return path;
	const branch = o.branch ?? `feature/${name}`;
	const standing = await standingAt(ctx, path.value, branch);
	if (standing !== null) return standing;
	const stood = await branchExists(proc, repoRoot, branch);
	if (stood.kind !== "ok") return stood;
	const made: Worktree = {
		path: path.value,
		branch,
		reused: false,
		branchCreated: !stood.value,
	};
	const base = await baseOf(ctx, o.base);
	if (base.kind !== "ok") return base;
	const words = stood.value
		? [path.value, branch]
		: ["-b", branch, path.value, base.value];
	const added = await git(proc, repoRoot, "worktree", "add", ...words);
	// In the moment since the look somebody else has made it: none of it is ours to undo.
	if (added.kind !== "ok" && isTaken(added.stderr))
		return fail("exists", added.stderr);
	const problem = added.kind === "ok" ? await prepare(ctx, made) : added;
	if (problem === null) return ok(made);
	await undo(ctx, made);
	return problem;
}

/** Null: nothing stands there. */
async function standingAt(
	{ doors, place }: LocalContext,
	path: string,
	branch: string,
): Promise<Done<Worktree> | null> {
	if (doors.files.lstat(path).kind === "absent") return null;
	const trees = await listWorktrees(doors.proc, place.repoRoot);
	if (trees.kind !== "ok") return trees;
	const real = doors.files.realpath(path) ?? path;
	const own = trees.value.find((tree) => tree.path === real);
	if (own?.branch === branch)
		return ok({ path, branch, reused: true, branchCreated: false });
	return fail(
		"exists",
		own === undefined
			? `${path} is there, and no worktree of this repository`
			: `${path} stands on ${own.branch ?? "no branch"}, not on ${branch}`,
	);
}

async function baseOf(ctx: LocalContext, base: string | undefined): R<string> {
	if (base !== undefined) return ok(base);
	const head = await currentBranch(ctx.doors.proc, ctx.place.repoRoot);
	return head.kind === "ok" ? ok(head.value ?? "HEAD") : head;
}

/** The redirect to the shared files; null when all is well. */
async function prepare(
	ctx: LocalContext,
	made: Worktree,
): Promise<FleetFailure | null> {
	const { doors, place } = ctx;
	const store = await ensureFleetStore(ctx, place);
	if (store.kind !== "ok") return store;
	const led = writeRedirect(doors.files, made.path, place.thrumDir);
	return led.kind === "ok" ? null : fail("failed", led.reason);
}

function isTaken(stderr: string): boolean {
	return /already exists|already (?:used|checked out)/.test(stderr);
}

/** What this call made, and nothing else: a cleanup once deleted a branch with somebody's history. */
async function undo(
	{ doors, place }: LocalContext,
	made: Worktree,
): Promise<void> {
	const { repoRoot } = place;
	await git(doors.proc, repoRoot, "worktree", "remove", "--force", made.path);
	if (made.branchCreated)
		await git(doors.proc, repoRoot, "branch", "-D", made.branch);
}

/** Changes that nobody has committed, and commits that are on no other branch, are left where they are. */
async function remove(
	ctx: LocalContext,
	{ path, branch }: Worktree,
	name: string,
	o: { readonly deleteBranch: boolean },
): R<void> {
	const { doors, place } = ctx;
	const { repoRoot, thrumDir } = place;
	const { proc } = doors;
	const entry = registry.read(doors, thrumDir, name);
	if (entry.kind === "ok" && entry.value.worktree === path)
		registry.remove(doors, thrumDir, name);
	if (doors.files.lstat(path).kind !== "absent") {
		const removed = await git(proc, repoRoot, "worktree", "remove", path);
		if (removed.kind !== "ok") return removed;
	}
	if (!o.deleteBranch) return ok(undefined);
	const stands = await branchExists(proc, repoRoot, branch);
	if (stands.kind !== "ok") return stands;
	if (!stands.value) return ok(undefined);
	const alone = await ownCommits(proc, repoRoot, branch);
	if (alone.kind !== "ok") return alone;
	if (alone.value > 0)
		return fail(
			"refused",
			`branch ${branch} has ${alone.value} commit(s) of its own; left alone`,
		);
	const deleted = await git(proc, repoRoot, "branch", "-D", branch);
	return deleted.kind === "ok" ? ok(undefined) : deleted;
}
