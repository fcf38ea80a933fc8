/** A child with everything it started, ended by pid, never by name. */
import type { ProcStat } from "./doors.ts";
import { procTable } from "./proc-fs.ts";

const LOOK_MS = 250;

export interface ProcessTree {
	/** SIGKILL to the group and to every member that left it. */
	kill(): void;
	/** SIGTERM now; SIGKILL after `graceMs` to those still there. */
	endWithin(graceMs: number): void;
}

/** The tree below `pid` as it stands now. `ownGroup`: the child leads a group and a session of its own. */
export function processTree(pid: number, ownGroup: boolean): ProcessTree {
	const members = treeOf(allNow(), pid, ownGroup);
	const send = (who: readonly ProcStat[], sig: "SIGTERM" | "SIGKILL") => {
		if (ownGroup) signal(-pid, sig);
		else signal(pid, sig);
		for (const p of who) signal(p.pid, sig);
	};
	return {
		kill: () => send(members, "SIGKILL"),
		endWithin: (graceMs) => {
			send(members, "SIGTERM");
			// The start time tells a survivor from a stranger that got its pid.
			const known = new Set(members.map(identity));
			const survivors = () => {
				const now = allNow();
				const found = treeOf(now, pid, ownGroup);
				return found.concat(now.filter((p) => known.has(identity(p))));
			};
			const look = (leftMs: number) => {
				const left = survivors();
				if (left.length === 0) return;
				if (leftMs > 0)
					setTimeout(() => look(leftMs - LOOK_MS), Math.min(LOOK_MS, leftMs));
				else for (const p of left) signal(p.pid, "SIGKILL");
			};
			look(graceMs);
		},
	};
}

/** Pure: the process itself, its descendants, and with a group of its own whoever shares group or session. */
export function treeOf(
	table: readonly ProcStat[],
	pid: number,
	ownGroup: boolean,
): ProcStat[] {
	const children = Map.groupBy(table, (p) => p.ppid);
	const found = new Map<number, ProcStat>();
	const queue = table.filter(
		(p) => p.pid === pid || (ownGroup && (p.pgid === pid || p.sid === pid)),
	);
	for (let p = queue.pop(); p !== undefined; p = queue.pop()) {
		if (found.has(p.pid)) continue;
		found.set(p.pid, p);
		for (const child of children.get(p.pid) ?? []) queue.push(child);
	}
	return [...found.values()];
}

function allNow(): readonly ProcStat[] {
	const table = procTable();
	return table.kind === "ok" ? table.value : [];
}

function identity(p: ProcStat): string {
	return `${p.pid}:${p.startTicks}`;
}

function signal(pid: number, sig: "SIGTERM" | "SIGKILL"): void {
	try {
		process.kill(pid, sig);
	} catch {
		// It has ended already, which is what we want.
	}
}
