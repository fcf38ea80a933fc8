/** Does a service's supervisor live (contract 06 §3)? And who serves when no record tells (§6.2 step 3)? */
import type { ServiceRow } from "../_state/services-registry.ts";
import { type RecordRead, readRecord } from "../_state/supervisor-record.ts";
import type { Doors, Looked, ProcStat } from "../_sys/doors.ts";
import { isCorpse } from "../_sys/process-group.ts";
import { isOneCommand, launchToken } from "./launch-token.ts";

/**
 * `absent`: nothing was ever recorded. `stale`: a record outlived its process; only that proves a dead supervisor, and
 * `malformed-record` proves nothing. `unknown`: could not look.
 */
export type SupervisorState =
	| { readonly kind: "absent" }
	| { readonly kind: "stale"; readonly reason: StaleReason }
	| { readonly kind: "alive"; readonly pid: number }
	| { readonly kind: "unknown"; readonly why: string };
export type StaleReason =
	| "malformed-record"
	| "foreign-namespace"
	| "process-gone"
	| "pid-recycled"
	| "cmdline-mismatch";

/** What the system says of a record's pid now. */
export interface RecordProbe {
	/** Our own pid namespace, or `unknown`. */
	readonly ns: string;
	readonly alive: boolean;
	/** Null: not readable. */
	readonly startTicks: string | null;
	/** argv slots; null: not readable. */
	readonly argv: readonly string[] | null;
	/** The word to know the process by; null: the launch command tells none that must be in its command line. */
	readonly token: string | null;
	/** Its environment names our state dir, as a service's does. */
	readonly isOurs: boolean;
}

/** Pure; first match wins. `probe` is asked only when the pid may be looked at: one of another namespace is a stranger's. */
export function classifyRecord(
	read: RecordRead,
	ownNamespace: string,
	probe: (pid: number) => RecordProbe,
): SupervisorState {
	if (read.kind === "absent") return read;
	if (read.kind === "unreadable") return { kind: "unknown", why: read.why };
	if (read.kind === "malformed") return stale("malformed-record");
	const { pid, ns, startTicks } = read.record;
	if (ns !== null && ownNamespace !== "unknown" && ns !== ownNamespace)
		return stale("foreign-namespace");
	const seen = probe(pid);
	if (!seen.alive) return stale("process-gone");
	if (
		startTicks !== null &&
		seen.startTicks !== null &&
		startTicks !== seen.startTicks
	)
		return stale("pid-recycled");
	const { argv, token } = seen;
	// A wrapper that ends in `exec` bears other words from then on, and keeps its start and its environment.
	if (startTicks !== null && seen.startTicks !== null && seen.isOurs)
		return { kind: "alive", pid };
	// A kernel thread and a process on its way out show no words at all: not readable, not a mismatch.
	if (argv !== null && argv.length > 0 && token !== null)
		if (!argv.join(" ").includes(token)) return stale("cmdline-mismatch");
	return { kind: "alive", pid };
}

/** The state of a row's supervisor, as its record and the process table say. */
export function supervisorState(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	stateDir: string,
	row: Pick<ServiceRow, "name" | "launch">,
): SupervisorState {
	const ns = proc.pidNamespace();
	return classifyRecord(readRecord(files, stateDir, row.name), ns, (pid) => {
		const stat = proc.stat(pid);
		const argv = proc.argv(pid);
		const env = proc.environ(pid);
		return {
			ns,
			alive: proc.alive(pid),
			startTicks: stat.kind === "ok" ? stat.value.startTicks : null,
			argv: argv.kind === "ok" ? argv.value : null,
			token: isOneCommand(row.launch) ? launchToken(row.launch) : null,
			isOurs: env.kind === "ok" && env.value.NEXUS_STATE_DIR === stateDir,
		};
	});
}

/**
 * Processes of ours that look like the row's supervisor without a record: the launch word in their command line, and
 * the row's folder as their own. A group counts once, by its leader where that is one of them: a pipeline bears the
 * word in the shell and in its child. Nobody but these may be taken for it, and only when there is exactly one.
 */
export function findOrphans(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	row: Pick<ServiceRow, "launch" | "workdir">,
): Looked<readonly number[]> {
	const token = launchToken(row.launch);
	if (token === null)
		return {
			kind: "unknown",
			reason: "the launch command names no program to look for",
		};
	const table = proc.table();
	if (table.kind !== "ok") return table;
	const workdir = files.realpath(row.workdir) ?? row.workdir;
	const found = table.value.filter((p) => {
		if (p.pid <= 1 || p.pid === proc.pid || isCorpse(p)) return false;
		const argv = proc.argv(p.pid);
		if (argv.kind !== "ok" || !argv.value.join(" ").includes(token))
			return false;
		const owner = proc.owner(p.pid);
		if (owner.kind !== "ok" || owner.value !== proc.uid) return false;
		const cwd = proc.cwd(p.pid);
		return cwd.kind === "ok" && cwd.value === workdir;
	});
	const groups = Map.groupBy(found, (p) => p.pgid).values();
	const one = (group: readonly ProcStat[]) =>
		group.find((p) => p.pid === p.pgid) ?? group[0];
	return { kind: "ok", value: [...groups].flatMap((g) => one(g)?.pid ?? []) };
}

function stale(reason: StaleReason): SupervisorState {
	return { kind: "stale", reason };
}
