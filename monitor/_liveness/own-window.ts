/**
 * Do we run inside the window we are meant to watch? (contract 01 §2.1.5, §18.) `$TMUX_PANE` is inherited, so it proves
 * nothing: a row counts only when its pane's process is ours or one of our ancestors.
 */
import type { Doors, Looked, PaneRow, Proc } from "../_sys/doors.ts";
import { isCorpse } from "../_sys/process-group.ts";

const MAX_PARENTS = 25;

type Ancestors = Pick<Proc, "pid" | "stat">;

/** The process, by default ours, and up to 25 above it; fewer when a parent cannot be looked at. */
export function ancestry(proc: Ancestors, pid = proc.pid): readonly number[] {
	const chain: number[] = [];
	let at = pid;
	while (at > 1 && chain.length <= MAX_PARENTS && !chain.includes(at)) {
		chain.push(at);
		const stat = proc.stat(at);
		if (stat.kind !== "ok") break;
		at = stat.value.ppid;
	}
	return chain;
}

/** The row of the pane we really run in. Null: in none, or nobody can tell. */
export function ownPane(
	proc: Ancestors & Pick<Proc, "env">,
	rows: readonly PaneRow[],
): PaneRow | null {
	const row = rows.find((r) => r.paneId === proc.env.TMUX_PANE);
	if (!row || row.panePid === null) return null;
	return ancestry(proc).includes(row.panePid) ? row : null;
}

/**
 * Does a pane of this window carry a process tree with `NEXUS_IS_ORCHESTRATOR=1`? `unknown` when the table or an
 * environment in the tree could not be read and none was found.
 */
export function windowHasOrchestrator(
	doors: Pick<Doors, "proc">,
	rows: readonly PaneRow[],
	windowId: string,
): "yes" | "no" | "unknown" {
	const roots = rows
		.filter((r) => r.windowId === windowId && r.paneDead !== "1")
		.map((r) => r.panePid);
	const table = doors.proc.table();
	if (table.kind !== "ok" || roots.includes(null)) return "unknown";
	let blind = false;
	const queue = roots.filter((pid) => pid !== null);
	const seen = new Set<number>();
	for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
		if (seen.has(pid)) continue;
		seen.add(pid);
		const env: Looked<Readonly<Record<string, string>>> =
			doors.proc.environ(pid);
		if (env.kind === "ok" && env.value.NEXUS_IS_ORCHESTRATOR === "1")
			return "yes";
		if (env.kind === "unknown") blind = true;
		for (const p of table.value)
			if (p.ppid === pid && !isCorpse(p)) queue.push(p.pid);
	}
	return blind ? "unknown" : "no";
}
