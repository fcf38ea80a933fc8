/** Which panes hold an orchestrator: a process with our mark in its environment (contract 04 §13.1). */
import {
	hasLiveClaude,
	type ProcView,
	processView,
} from "../../_pane/process.ts";
import type { LookAt } from "../../_pane/types.ts";
import { isSessionId } from "../../_state/orchestrator-session-id.ts";
import type { Doors, PaneRow, Proc } from "../../_sys/doors.ts";

export interface OrchestratorPane {
	readonly windowId: string;
	readonly windowName: string;
	/** Null: unknown, and then it is nobody else's either. */
	readonly sessionId: string | null;
}

/** What one look at all panes gave. */
export interface OrchestratorLook {
	readonly found: readonly OrchestratorPane[];
	/** Live panes that may hold one all the same: unreadable, or a claude without our mark, which somebody started by hand. */
	readonly undecided: readonly Pick<PaneRow, "windowId" | "windowName">[];
	readonly rows: readonly PaneRow[];
}

/** The pane's own process is the first layer. */
const LAYERS = 4;

/** Null: the table of processes cannot be read. A pane's session is what its live session file says, else its environment, else its argv. */
export async function lookForOrchestrators(
	{ proc }: Pick<Doors, "proc">,
	lookAt: LookAt,
	rows: readonly PaneRow[],
	signal?: AbortSignal,
): Promise<OrchestratorLook | null> {
	const view = processView(proc);
	if (view === null) return null;
	const found: OrchestratorPane[] = [];
	const undecided: PaneRow[] = [];
	// A dead pane's pid may be another process by now.
	for (const row of rows.filter((r) => r.paneDead !== "1")) {
		const mark = markBelow(proc, view, row.panePid);
		if (mark === "undecided") undecided.push(row);
		if (mark === "none" || mark === "undecided") continue;
		const { windowId, windowName } = row;
		const seen = await lookAt(row, signal);
		const live = seen.kind === "ok" ? seen.look.sessionId : null;
		found.push({ windowId, windowName, sessionId: live ?? mark.sessionId });
	}
	return { found, undecided, rows };
}

type Mark = "none" | "undecided" | { readonly sessionId: string | null };

function markBelow(proc: Proc, view: ProcView, panePid: number | null): Mark {
	if (panePid === null) return "undecided";
	let layer: readonly number[] = [panePid];
	let isHidden = false;
	for (let depth = 0; depth < LAYERS; depth++) {
		for (const pid of layer) {
			const env = proc.environ(pid);
			if (env.kind === "unknown") isHidden = true;
			if (env.kind === "ok" && env.value.NEXUS_IS_ORCHESTRATOR === "1")
				return { sessionId: sessionOf(proc, pid, env.value) };
		}
		layer = layer.flatMap((pid) => view.children(pid).map((p) => p.pid));
	}
	return isHidden || hasLiveClaude(view, panePid) !== "no"
		? "undecided"
		: "none";
}

function sessionOf(
	proc: Proc,
	pid: number,
	env: Readonly<Record<string, string>>,
): string | null {
	const named = env.NEXUS_ORCH_SESSION_ID ?? "";
	if (isSessionId(named)) return named;
	const argv = proc.argv(pid);
	if (argv.kind !== "ok") return null;
	const at = argv.value.findIndex(
		(w) => w === "--session-id" || w === "--resume",
	);
	const value = at < 0 ? "" : (argv.value[at + 1] ?? "");
	return isSessionId(value) ? value : null;
}
