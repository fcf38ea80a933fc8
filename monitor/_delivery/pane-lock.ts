/** Work on one pane that is known by its id, while nobody else pastes into its window (contract 04 §2, 09 §6.5). */
import { takePasteLock } from "../_state/paste-lock.ts";
import type { PaneRow } from "../_sys/doors.ts";
import { sameServer } from "../_sys/tmux-lookup.ts";
import type { LockDeps } from "./under-lock.ts";

export type PaneWork<T> =
	| { readonly kind: "done"; readonly value: T }
	| {
			readonly kind: "busy" | "gone" | "unknown";
			readonly why: string;
	  };

/** As `underPasteLock`, for a window whose name others may bear too: the pane is looked up anew by id and server. */
export async function underPaneLock<T>(
	{ doors, stateDir }: LockDeps,
	{ pane, lockMs }: { readonly pane: PaneRow; readonly lockMs: number },
	signal: AbortSignal | undefined,
	act: (pane: PaneRow) => Promise<T>,
): Promise<PaneWork<T>> {
	const window = pane.windowName;
	const lock = await takePasteLock(doors, stateDir, window, lockMs, signal);
	if (lock.kind === "held")
		return { kind: "busy", why: "another paste is under way" };
	if (lock.kind === "cannot-open")
		return { kind: "busy", why: `the paste lock: ${lock.reason}` };
	try {
		const rows = await doors.tmux.panes(signal);
		if (rows.kind !== "ok") return { kind: "unknown", why: "could not look" };
		const now = rows.rows.find((row) => row.paneId === pane.paneId);
		if (now === undefined || !sameServer(now.server, pane.server))
			return { kind: "gone", why: "the pane is gone" };
		if (now.paneDead === "1")
			return { kind: "gone", why: "the program in the pane has ended" };
		return { kind: "done", value: await act(now) };
	} finally {
		lock.lock.release();
	}
}
