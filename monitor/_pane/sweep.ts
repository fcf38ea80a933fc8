/** All panes in two tmux calls, whatever their number (contract 03 §5). */
import type { PaneRow, TmuxFailure } from "../_sys/doors.ts";
import { captureWitness, gatherWitnesses, type ReaderDeps } from "./gather.ts";
import { targetOf } from "./look.ts";
import { processView } from "./process.ts";
import { judgePane, type PaneReport } from "./report.ts";

export interface SweptPane extends PaneReport {
	readonly row: PaneRow;
}
/** `failed`: tmux could not be asked; that is no statement about any pane. */
export type Sweep =
	| { readonly kind: "ok"; readonly panes: readonly SweptPane[] }
	| { readonly kind: "failed"; readonly failure: TmuxFailure };

/** Reads the active pane of every window that `wanted` lets through. */
export async function sweepPanes(
	deps: ReaderDeps,
	wanted: (row: PaneRow) => boolean = () => true,
	signal?: AbortSignal,
): Promise<Sweep> {
	const { tmux, proc } = deps.doors;
	const listed = await tmux.panes(signal);
	if (listed.kind !== "ok") return { kind: "failed", failure: listed };
	const rows = listed.rows.filter((row) => row.paneActive && wanted(row));
	const ids = new Set(rows.map((row) => row.paneId));
	const shots = await tmux.captureAll([...ids], signal);
	const view = processView(proc);
	const panes = rows.map((row) => {
		const text = shots.kind === "ok" ? shots.text.get(row.paneId) : undefined;
		const capture =
			text === undefined
				? ({ kind: "failed", why: "capture failed" } as const)
				: captureWitness(text, row.width);
		const witnesses = gatherWitnesses(deps, view, row, capture);
		return { row, ...judgePane(targetOf(row), witnesses) };
	});
	return { kind: "ok", panes };
}
