/**
 * Which processes are the watcher of OUR state dir (contract 01 §2.3, 00 R2). A pid is believed only when its script
 * is our main.ts by real path AND its environment names our state dir: a test's or a demo's watcher, a worker whose
 * prompt quotes the path and a recycled pid are all somebody else.
 */
import { basename, isAbsolute, join } from "node:path";
import { stateDirFromEnv } from "../_state/state-dir.ts";
import type { Doors, Looked, Proc } from "../_sys/doors.ts";
import { programPath } from "../_sys/names.ts";
import { isCorpse } from "../_sys/process-group.ts";

/** What a process must be to be ours; both are real paths. */
export interface WatcherIdentity {
	readonly mainScript: string;
	readonly stateDir: string;
}

/** `unreadable` = alive and could not be looked into: counts as alive, is never signalled. */
export type WatcherCheck = "live" | "dead" | "other" | "unreadable";

export interface WatcherGroup {
	readonly pgid: number;
	/** A group whose leader is dead is a decapitated tree: reaped, never adopted. */
	readonly leader: "live" | "dead";
	/** Pids proven to be ours. */
	readonly members: readonly number[];
	/** Pids that run our main.ts and whose state dir could not be read. */
	readonly unverified: readonly number[];
}

type Look = Pick<Doors, "proc" | "files">;

/** Identity of the watcher of `stateDir`, run from `codeRoot`. */
export function watcherIdentity(
	files: Doors["files"],
	stateDir: string,
	codeRoot: string,
): WatcherIdentity {
	const real = (path: string) => files.realpath(path) ?? path;
	return {
		mainScript: real(programPath("watcherMain", codeRoot)),
		stateDir: real(stateDir),
	};
}

/** Is this pid our watcher? */
export function checkWatcher(
	doors: Look,
	pid: number,
	identity: WatcherIdentity,
): WatcherCheck {
	if (pid <= 1 || !doors.proc.alive(pid)) return "dead";
	const stat = doors.proc.stat(pid);
	if (stat.kind === "ok" && isCorpse(stat.value)) return "dead";
	return checkLiving(doors, pid, identity);
}

/**
 * All groups that hold a watcher of ours, by group id. `unknown` when the process table could not be read, which is
 * never "no watcher".
 */
export function listWatcherGroups(
	doors: Look,
	identity: WatcherIdentity,
): Looked<readonly WatcherGroup[]> {
	const table = doors.proc.table();
	if (table.kind !== "ok")
		return {
			kind: "unknown",
			reason: table.kind === "unknown" ? table.reason : "no process table",
		};
	const living = table.value.filter((p) => !isCorpse(p));
	const ours = living.map((p) => ({
		...p,
		check: checkLiving(doors, p.pid, identity),
	}));
	const suspects = ours.filter(
		// Anybody's unreadable process could be anything; only one that shows our script is worth a row.
		(p) =>
			p.check === "live" ||
			(p.check === "unreadable" && runsScript(doors, p.pid, identity) === true),
	);
	// Between fork and exec a child wears its parent's command line, in a group of its own already. A watcher never
	// starts a watcher, so whose parent is one is on its way to be something else.
	const found = suspects.filter((p) => !suspects.some((q) => q.pid === p.ppid));
	const groups = new Map<number, typeof found>();
	for (const p of found) groups.set(p.pgid, [...(groups.get(p.pgid) ?? []), p]);
	return {
		kind: "ok",
		value: [...groups].map(([pgid, members]) => ({
			pgid,
			leader: living.some((p) => p.pid === pgid) ? "live" : "dead",
			members: members.filter((p) => p.check === "live").map((p) => p.pid),
			unverified: members.filter((p) => p.check !== "live").map((p) => p.pid),
		})),
	};
}

/**
 * The script a bun process runs, or null: slot 0 is named bun or bun.exe, the first later slot without a leading `-`
 * is the script (contract 00 R1).
 */
export function scriptOf(argv: readonly string[]): string | null {
	const name = basename(argv[0] ?? "");
	if (name !== "bun" && name !== "bun.exe") return null;
	return argv.slice(1).find((slot) => !slot.startsWith("-")) ?? null;
}

function checkLiving(
	doors: Look,
	pid: number,
	identity: WatcherIdentity,
): WatcherCheck {
	const ours = runsScript(doors, pid, identity);
	if (ours === false) return "other";
	if (ours === "gone") return "dead";
	if (ours === "unknown") return "unreadable";
	const env = doors.proc.environ(pid);
	if (env.kind === "absent") return "dead";
	if (env.kind === "unknown") return "unreadable";
	const named = stateDirFromEnv(env.value);
	if (named === null) return "other";
	return (doors.files.realpath(named) ?? named) === identity.stateDir
		? "live"
		: "other";
}

function runsScript(
	doors: Look,
	pid: number,
	identity: WatcherIdentity,
): boolean | "gone" | "unknown" {
	const argv = doors.proc.argv(pid);
	if (argv.kind === "absent") return goneOrHidden(doors.proc, pid);
	if (argv.kind === "unknown") return "unknown";
	const script = scriptOf(argv.value);
	if (script === null) return false;
	// Real paths cost a system call each; nearly every process is ruled out by the file's name.
	if (basename(script) !== basename(identity.mainScript)) return false;
	const path = absolute(doors.proc, pid, script);
	if (path === null) return "unknown";
	return (doors.files.realpath(path) ?? path) === identity.mainScript;
}

/** Alive but without an entry in /proc: it is another user's and the table hides it (`hidepid`). */
function goneOrHidden(proc: Proc, pid: number): "gone" | "unknown" {
	return proc.alive(pid) ? "unknown" : "gone";
}

function absolute(proc: Proc, pid: number, script: string): string | null {
	if (isAbsolute(script)) return script;
	const cwd = proc.cwd(pid);
	return cwd.kind === "ok" ? join(cwd.value, script) : null;
}
