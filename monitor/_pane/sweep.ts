/** All panes in two tmux calls, whatever their number (contract 03 §5). */
import type { PaneRow, PaneRows, TmuxFailure } from "../_sys/doors.ts";
import { gatherWitnesses, type ReaderDeps } from "./gather.ts";
import { targetOf } from "./look.ts";
import { processView } from "./process.ts";
import { judgePane, type PaneReport } from "./report.ts";
import { type ReadScreens, screenMemo } from "./screen-memo.ts";
import type { SessionWitness } from "./session.ts";

export interface SweptPane extends PaneReport {
	readonly row: PaneRow;
}
/** `failed`: tmux could not be asked; that is no statement about any pane. */
export type Sweep =
	| { readonly kind: "ok"; readonly panes: readonly SweptPane[] }
	| { readonly kind: "failed"; readonly failure: TmuxFailure };

/**
 * This tick's look at the fleet, or an older one that began at most `maxAgeMs` ago, else a new one. All tasks that want
 * to see panes share it; whoever pastes or presses a key looks anew through its own doors.
 */
export type LookAtFleet = (maxAgeMs?: number) => Promise<Sweep>;

export interface SweepOptions {
	/** A listing that somebody has made just now; without it tmux is asked. */
	readonly listed?: PaneRows;
	/** Default: reads every screen anew. */
	readonly readScreens?: ReadScreens;
	/** Hears of each session file. */
	readonly noteSession?: (session: SessionWitness) => void;
	readonly signal?: AbortSignal;
}

/** Reads the active pane of every window, once, in however many sessions it is shown. */
export async function sweepPanes(
	deps: ReaderDeps,
	opts: SweepOptions = {},
): Promise<Sweep> {
	const { tmux, proc } = deps.doors;
	const { signal } = opts;
	const listed = opts.listed ?? (await tmux.panes(signal));
	if (listed.kind !== "ok") return { kind: "failed", failure: listed };
	const rows = activePanes(listed.rows);
	const shots = await tmux.captureAll(
		rows.map((row) => row.paneId),
		signal,
	);
	const view = processView(proc);
	const readScreens = opts.readScreens ?? screenMemo();
	const screens = readScreens(
		rows,
		shots.kind === "ok" ? shots.text : new Map(),
	);
	const panes = rows.map((row) => {
		const capture = screens.get(row.paneId) ?? CAPTURE_FAILED;
		const witnesses = gatherWitnesses(deps, view, row, capture);
		opts.noteSession?.(witnesses.session);
		return { row, ...judgePane(targetOf(row), witnesses) };
	});
	return { kind: "ok", panes };
}

const CAPTURE_FAILED = { kind: "failed", why: "capture failed" } as const;

/** One row a window: grouped sessions list the same window each. */
function activePanes(rows: readonly PaneRow[]): readonly PaneRow[] {
	const byPane = new Map<string, PaneRow>();
	for (const row of rows)
		if (row.paneActive && !byPane.has(row.paneId)) byPane.set(row.paneId, row);
	return [...byPane.values()];
}
