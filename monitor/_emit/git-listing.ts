/** The git section of the snapshot: one row for each clone below `work/` (contract 01 §6, 00 R9). */
import { join } from "node:path";
import { byBytes } from "../_sys/byte-order.ts";
import type { Clock, Files, Proc } from "../_sys/doors.ts";
import { plainGitEnv } from "../_sys/git-env.ts";
import { oneLine } from "./clean-text.ts";

type Doors = {
	readonly files: Files;
	readonly clock: Clock;
	readonly proc: Pick<Proc, "exec" | "env">;
};

/** The last answer about each clone, by its name; lives as long as the watcher. */
export type GitMemo = Map<string, GitAnswer>;
interface GitAnswer {
	/** What git's own files looked like before it was asked. */
	readonly stamps: string;
	readonly row: string;
	readonly askedAtMs: number;
}

/** An edit that was never staged moves none of git's files: even a still clone is asked again after this. */
const RECHECK_MS = 120_000;

const OVER_BUDGET = "scan exceeded budget";

/**
 * The section's lines, all clones within `timeoutMs`; else one line that says so. Each clone costs
 * at most one `git`, and none while its git files stand still. Every row is noise to the classifier.
 */
export async function listClones(
	doors: Doors,
	root: string,
	timeoutMs: number,
	memo: GitMemo,
	signal: AbortSignal,
): Promise<string> {
	const end = doors.clock.monoMs() + timeoutMs;
	const work = join(root, "work");
	const listed = await doors.files.listSlow(work, timeoutMs, signal);
	if (listed.kind === "unreadable")
		return unavailable(
			doors.clock.monoMs() >= end ? OVER_BUDGET : listed.reason,
		);
	const names = listed.kind === "ok" ? [...listed.names].sort(byBytes) : [];
	const clones = names.filter((name) => isClone(doors.files, join(work, name)));
	for (const gone of [...memo.keys()].filter((k) => !clones.includes(k)))
		memo.delete(gone);
	const rows: string[] = [];
	for (const name of clones) {
		const row = await rowOf(doors, join(work, name), name, memo, end, signal);
		if (row === null) return unavailable(OVER_BUDGET);
		rows.push(row);
	}
	return rows.map((row) => `${row}\n`).join("");
}

/** HEAD and cleanness from `status --porcelain=v2 --branch`; null when it is not that. */
export function parseStatus(
	out: string,
): { readonly head: string; readonly dirty: boolean } | null {
	const [, oid] = /^# branch\.oid (\S+)$/m.exec(out) ?? [];
	if (oid === undefined) return null;
	return {
		head: /^[0-9a-f]+$/.test(oid) ? oid : "none",
		dirty: out.split("\n").some((line) => line !== "" && !line.startsWith("#")),
	};
}

/** Null: no time is left. */
async function rowOf(
	doors: Doors,
	dir: string,
	name: string,
	memo: GitMemo,
	endMs: number,
	signal: AbortSignal,
): Promise<string | null> {
	const stamps = stampsOf(doors.files, dir);
	const known = memo.get(name);
	const askedAtMs = doors.clock.monoMs();
	if (known?.stamps === stamps && askedAtMs - known.askedAtMs < RECHECK_MS)
		return known.row;
	if (askedAtMs >= endMs) return null;
	const ran = await doors.proc.exec(
		["git", "--no-optional-locks", "status", "--porcelain=v2", "--branch"],
		{
			cwd: dir,
			env: plainGitEnv(doors.proc.env),
			timeoutMs: endMs - askedAtMs,
			signal,
		},
	);
	if (ran.kind === "timeout" || ran.kind === "aborted") return null;
	const status = ran.kind === "exited" ? parseStatus(ran.stdout) : null;
	// Could not look: never called clean, and asked again next time.
	if (status === null) return `${oneLine(name)} none dirty`;
	const row = `${oneLine(name)} ${status.head} ${status.dirty ? "dirty" : "clean"}`;
	memo.set(name, { stamps, row, askedAtMs });
	return row;
}

function isClone(files: Files, dir: string): boolean {
	const git = files.stat(join(dir, ".git"));
	return (
		git.kind === "ok" && (git.stat.kind === "dir" || git.stat.kind === "file")
	);
}

/** What moves when HEAD, the index or the top folder changes. */
function stampsOf(files: Files, dir: string): string {
	const git = gitDir(files, dir);
	return [join(git, "HEAD"), join(git, "index"), join(git, "logs/HEAD"), dir]
		.map((path) => {
			const found = files.stat(path);
			return found.kind === "ok"
				? `${found.stat.ino}:${found.stat.size}:${found.stat.mtimeMs}`
				: found.kind;
		})
		.join(" ");
}

/** A worktree's `.git` is a file that names its folder. */
function gitDir(files: Files, dir: string): string {
	const dotGit = join(dir, ".git");
	const read = files.read(dotGit, 4096);
	const [, target] =
		read.kind === "ok" ? (/^gitdir: (.+)$/m.exec(read.text) ?? []) : [];
	if (target === undefined) return dotGit;
	return target.startsWith("/") ? target : join(dir, target);
}

function unavailable(why: string): string {
	return `(git listing unavailable: ${oneLine(why, 120)})\n`;
}
