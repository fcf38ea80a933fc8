/** Where the fleet's files are (contract 09 §2.1). */
import { dirname, join } from "node:path";
import type { Doors, Files } from "../_sys/doors.ts";
import { plainGitEnv } from "../_sys/git-env.ts";
import { fail, ok } from "./failure.ts";
import type { R } from "./fleet.ts";

export interface FleetPlace {
	/** The folder that holds `.thrum/`: a checkout or one of its worktrees. */
	readonly repoRoot: string;
	/** `T`: the shared `.thrum`, behind the worktree's redirect. Need not exist yet. */
	readonly thrumDir: string;
}

export type ThrumDir =
	| { readonly ok: true; readonly dir: string }
	| { readonly ok: false; readonly reason: string };

/** From the caller's folder to the fleet's files; a bad redirect fails, and the local tree is never used instead. */
export async function findPlace(
	doors: Pick<Doors, "files" | "proc">,
	start: string,
): R<FleetPlace> {
	const root = await repoRoot(doors, start);
	if (root === null)
		return fail("refused", `${start} is in no repository with a .thrum folder`);
	const found = resolveThrumDir(doors.files, root);
	return found.ok
		? ok({ repoRoot: root, thrumDir: found.dir })
		: fail("refused", found.reason);
}

/**
 * Nearest ancestor with a `.thrum` folder, else `THRUM_HOME`, else git's top level; null when there is none. The folder
 * beats the variable: an inherited stale value once made an agent act as somebody else in another checkout.
 */
export async function repoRoot(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	start: string,
): Promise<string | null> {
	const holder = ancestors(start).find((dir) =>
		isStore(files, join(dir, ".thrum")),
	);
	if (holder !== undefined) return holder;
	const home = proc.env.THRUM_HOME;
	if (home) return home;
	const git = await proc.exec(["git", "rev-parse", "--show-toplevel"], {
		timeoutMs: 10_000,
		cwd: start,
		env: plainGitEnv(proc.env),
	});
	const top = git.kind === "exited" && git.rc === 0 ? git.stdout.trim() : "";
	return top === "" ? null : top;
}

/** One hop at most. The redirect's text may hold blanks within the path. */
export function resolveThrumDir(
	files: Pick<Files, "read" | "stat">,
	root: string,
): ThrumDir {
	const own = join(root, ".thrum");
	const path = join(own, "redirect");
	const read = files.read(path);
	if (read.kind === "absent") return { ok: true, dir: own };
	if (read.kind === "unreadable")
		return refused(`${path} cannot be read: ${read.reason}`);
	const target = read.text.trim();
	if (target === "") return refused(`${path} is empty`);
	if (!target.startsWith("/"))
		return refused(`${path} names no absolute folder: ${target}`);
	if (!isDir(files, target))
		return refused(`${path} names no folder: ${target}`);
	if (files.stat(join(target, "redirect")).kind !== "absent")
		return refused(`${path} leads to another redirect: ${target}`);
	return { ok: true, dir: target };
}

function refused(reason: string): ThrumDir {
	return { ok: false, reason };
}

/** `~/.thrum` with nothing in it but the worktrees that lie there by default keeps no fleet: it would be everybody's. */
function isStore(files: Pick<Files, "stat" | "list">, path: string): boolean {
	if (!isDir(files, path)) return false;
	const inside = files.list(path);
	return inside.kind !== "ok" || inside.names.join("\n") !== "worktrees";
}

function isDir(files: Pick<Files, "stat">, path: string): boolean {
	const found = files.stat(path);
	return found.kind === "ok" && found.stat.kind === "dir";
}

function ancestors(start: string): readonly string[] {
	const all = [start];
	for (let dir = start; dirname(dir) !== dir; dir = dirname(dir))
		all.push(dirname(dir));
	return all;
}
