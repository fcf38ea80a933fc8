/** From one look at the target's pane to what is in it: whoever may take reports, and what keeps him from it. */
import type { WaitingReports } from "../../_delivery/report-queue.ts";
import { processView, startEpoch } from "../../_pane/process.ts";
import { lookAtProcess } from "../../_pane/process-look.ts";
import type { SweptPane } from "../../_pane/sweep.ts";
import { factsOf, isStopped, liveClaude } from "../../_pane/witnesses.ts";
import { readPin } from "../../_state/orchestrator-session-id.ts";
import type { Doors, PaneRow, PaneRows } from "../../_sys/doors.ts";
import type { Inside } from "./hollow.ts";
import type { Successor } from "./successor.ts";

/** Null: no live agent, nobody knows which, or one at which nothing is typed: it waits for a limit, or at a dialog. */
export function agentOf(
	{ proc }: Pick<Doors, "proc">,
	{ verdict, witnesses }: SweptPane,
): Successor | null {
	const { state } = verdict.answer;
	const { process, session } = witnesses;
	if (state === "over-limit" || state === "blocked") return null;
	if (process.kind !== "seen" || process.claudePid === null) return null;
	const found = proc.stat(process.claudePid);
	if (found.kind !== "ok") return null;
	const [bootTime, ticksPerSecond] = [proc.bootTime(), proc.ticksPerSecond()];
	const startedAt = startEpoch(found.value, { bootTime, ticksPerSecond });
	const { pid } = found.value;
	if (startedAt === null) return null;
	return { pid, startedAt, sessionId: session.sessionId };
}

/** That session has a process of its own in another window: its queue is not lost. */
export function livesBeside(
	sessionId: string,
	{ pid }: Successor,
	panes: readonly SweptPane[],
): boolean {
	return panes.some(
		({ witnesses: { session } }) =>
			session.live && session.sessionId === sessionId && session.pid !== pid,
	);
}

/**
 * In another pane of its window: a look sees the active one alone. Where nobody can say, one may live there. A dead pane
 * and one without a Claude Code are none: the new orchestrator would wait for them for ever.
 */
export function mayLiveInNextPane(
	doors: Pick<Doors, "clock" | "proc">,
	panes: PaneRows,
	{ windowId, paneId }: PaneRow,
): boolean {
	if (panes.kind !== "ok") return true;
	const next = panes.rows.filter(
		(row) =>
			row.windowId === windowId &&
			row.paneId !== paneId &&
			row.paneDead !== "1",
	);
	if (next.length === 0) return false;
	const view = processView(doors.proc);
	return next.some(({ panePid, server }) => {
		const { witness } = lookAtProcess(doors, view, panePid, server);
		return witness.kind !== "seen" || witness.live !== "no";
	});
}

export interface InsideFacts {
	readonly waitingReports: WaitingReports;
	/** Another pane of its window may hold an agent. */
	readonly isBeside: boolean;
}

/**
 * `unknown` when it cannot be told whether a Claude Code lives there. A usage limit holds nobody up: it ends by
 * itself. Asks what waits behind a turn while one runs, nothing else.
 */
export function insideOf(
	doors: Pick<Doors, "files" | "proc">,
	stateDir: string,
	{ verdict, witnesses }: SweptPane,
	{ waitingReports, isBeside }: InsideFacts,
): Inside {
	const { answer } = verdict;
	if (liveClaude(witnesses) === "yes") {
		if (isStopped(witnesses)) return { kind: "held-up", by: "suspended" };
		const overlay = answer.state === "blocked" ? answer.overlay : undefined;
		// A usage limit ends by itself, and has hands of its own.
		if (overlay !== undefined && overlay !== null && overlay !== "rate-limit")
			return { kind: "held-up", by: `at a dialog: ${overlay}` };
		const sessionId =
			witnesses.session.sessionId ?? readPin(doors.files, stateDir);
		const [waits] =
			answer.state === "busy" && sessionId !== null
				? waitingReports(doors, sessionId)
				: [];
		return waits === undefined
			? { kind: "agent" }
			: { kind: "waited-for", report: waits.signature };
	}
	const screen = factsOf(witnesses)?.contentHash ?? "";
	// In the pane beside it the orchestrator itself may live.
	if (answer.state === "absent" && !isBeside) return { kind: "shell", screen };
	return { kind: liveClaude(witnesses) === "no" ? "program" : "unknown" };
}
