/** What the launcher does about watchers that are there already (contract 01 §17, steps 5 and 6). Pure. */
import type {
	WatcherCheck,
	WatcherGroup,
} from "../../_liveness/watcher-process.ts";

/** `bare` refuses, `ensure` is content with, `replace` ends a watcher that lives. */
export type LaunchMode = "bare" | "ensure" | "replace";

export interface LaunchFacts {
	readonly mode: LaunchMode;
	readonly pidfile:
		| { readonly kind: "absent" }
		/** Damaged or unreadable: the group scan decides, and nothing is signalled on its word. */
		| { readonly kind: "says-nothing" }
		| {
				readonly kind: "pid";
				readonly pid: number;
				readonly check: WatcherCheck;
				/** Living processes in the group of that pid, when the pid itself is dead. */
				readonly leftBehind: number;
		  };
	/** Null when the process table could not be read: no information, never "no watcher". */
	readonly groups: readonly WatcherGroup[] | null;
	readonly writable: boolean;
}

export interface Reap {
	readonly pgid: number;
	readonly event: "replace-reaped" | "reap-decapitated";
}
export type LaunchPlan =
	| {
			readonly kind: "stop";
			readonly exit: 0 | 1 | 5;
			/** For the audit log; null = nothing of consequence happened. */
			readonly event: string | null;
			readonly message: string;
	  }
	| {
			readonly kind: "go";
			readonly reap: readonly Reap[];
			readonly stalePidfile: boolean;
			/** Audit lines of what is left alone on purpose. */
			readonly leave: readonly string[];
	  };

/**
 * Without `--replace` a live watcher is never touched; with it, only when a successor could write. What cannot be
 * read is left alone and said.
 */
export function decideLaunch(f: LaunchFacts): LaunchPlan {
	const groups = f.groups ?? [];
	const alive = groups.filter((g) => g.leader === "live");
	const incumbent = livePid(f) ?? alive[0]?.pgid ?? null;
	if (incumbent !== null && f.mode !== "replace")
		return settle(f.mode, incumbent);
	if (incumbent !== null && !f.writable)
		return {
			kind: "stop",
			exit: 5,
			event: null,
			message: `state dir is not writable; the running watcher (pid ${incumbent}) was left alone: a successor could not start`,
		};
	return {
		kind: "go",
		reap: groups.filter((g) => g.members.length > 0).map(reapOf),
		stalePidfile: pidfileIsStale(f),
		leave: [...unreadable(f, groups), ...orphaned(f, groups)],
	};
}

function livePid(f: LaunchFacts): number | null {
	if (f.pidfile.kind !== "pid") return null;
	const { pid, check } = f.pidfile;
	return check === "live" || check === "unreadable" ? pid : null;
}

function settle(mode: "bare" | "ensure", pid: number): LaunchPlan {
	return mode === "ensure"
		? {
				kind: "stop",
				exit: 0,
				event: `ensure-noop pid=${pid}`,
				message: `a watcher already runs (pid ${pid}); nothing to do`,
			}
		: {
				kind: "stop",
				exit: 1,
				event: `refuse-bare pid=${pid}`,
				message: `a watcher already runs (pid ${pid}); use --replace to replace it, --ensure to be content with it`,
			};
}

function reapOf(group: WatcherGroup): Reap {
	return {
		pgid: group.pgid,
		event: group.leader === "live" ? "replace-reaped" : "reap-decapitated",
	};
}

/** A file that names a proven watcher goes when that one is reaped; one that names an unreadable process stays. */
function pidfileIsStale(f: LaunchFacts): boolean {
	return f.pidfile.kind === "pid" && f.pidfile.check !== "unreadable";
}

/** Alive and not to be looked into: never signalled. The instance lock decides whether it is a watcher. */
function unreadable(
	f: LaunchFacts,
	groups: readonly WatcherGroup[],
): readonly string[] {
	const pids = groups.flatMap((g) =>
		g.members.length > 0 ? [] : g.unverified,
	);
	if (f.pidfile.kind === "pid" && f.pidfile.check === "unreadable")
		pids.push(f.pidfile.pid);
	return [...new Set(pids)].map(
		(pid) => `refuse-unverified-group pid=${pid} (cannot be looked into)`,
	);
}

/** The recorded watcher is dead and something of its group lives that is no watcher: not ours to end. */
function orphaned(
	f: LaunchFacts,
	groups: readonly WatcherGroup[],
): readonly string[] {
	if (f.pidfile.kind !== "pid" || f.pidfile.check !== "dead") return [];
	const { pid, leftBehind } = f.pidfile;
	const scanned = groups.some((g) => g.pgid === pid);
	return leftBehind > 0 && !scanned
		? [`refuse-unverified-group pgid=${pid} members=${leftBehind}`]
		: [];
}

/** What the world looks like after the spawn (steps 13 and 14). */
export type SpawnVerdict =
	| { readonly kind: "ok"; readonly pid: number; readonly warning?: string }
	| { readonly kind: "failed" }
	| { readonly kind: "duplicate"; readonly pgids: readonly number[] };

/** `livePid`: a live watcher that the pidfile names by now. */
export function judgeSpawn(
	livePid: number | null,
	groups: readonly WatcherGroup[] | null,
): SpawnVerdict {
	const found = groups ?? [];
	if (found.length > 1)
		return { kind: "duplicate", pgids: found.map((g) => g.pgid) };
	if (livePid !== null) return { kind: "ok", pid: livePid };
	const only = found[0];
	return only === undefined
		? { kind: "failed" }
		: {
				kind: "ok",
				pid: only.pgid,
				warning: "the watcher runs, but its pidfile has not appeared",
			};
}
