/** Work on one window's pane while nobody else pastes into it (contract 04 §2). */
import { takePasteLock } from "../_state/paste-lock.ts";
import type { Doors, PaneRow } from "../_sys/doors.ts";
import { resolveActivePane, sameServer } from "../_sys/tmux-lookup.ts";
import { paneLiveness } from "../_sys/tmux-panes.ts";

export interface LockDeps {
	readonly doors: Pick<Doors, "files" | "locks" | "tmux">;
	readonly stateDir: string;
}

/** `busy`: somebody else pastes. `absent`: tmux answered, no such window. `dead`: a corpse. `unknown`: could not look. */
export type LockedWork<T> =
	| { readonly kind: "done"; readonly value: T }
	| {
			readonly kind: "busy" | "absent" | "dead" | "unknown";
			readonly why: string;
	  };

/** Resolves the name to its pane anew, after the lock was taken; waits for the lock at most `lockMs`. */
export async function underPasteLock<T>(
	{ doors, stateDir }: LockDeps,
	window: string,
	lockMs: number,
	signal: AbortSignal | undefined,
	act: (pane: PaneRow) => Promise<T>,
): Promise<LockedWork<T>> {
	return whileLocked(doors, stateDir, { window, lockMs }, signal, async () => {
		const rows = await doors.tmux.panes(signal);
		const live = paneLiveness(rows, window);
		if (live === "absent") return { kind: "absent", why: "no such window" };
		if (live === "dead") return { kind: "dead", why: ENDED };
		const pane = resolveActivePane(rows, window);
		if (live === "unknown" || pane.kind !== "present")
			return {
				kind: "unknown",
				why: pane.kind === "could-not-look" ? pane.why : "could not look",
			};
		return { kind: "done", value: await act(pane.value) };
	});
}

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
	const place = { window: pane.windowName, lockMs };
	return whileLocked(doors, stateDir, place, signal, async () => {
		const rows = await doors.tmux.panes(signal);
		if (rows.kind !== "ok") return { kind: "unknown", why: "could not look" };
		const now = rows.rows.find((row) => row.paneId === pane.paneId);
		if (now === undefined || !sameServer(now.server, pane.server))
			return { kind: "gone", why: "the pane is gone" };
		if (now.paneDead === "1") return { kind: "gone", why: ENDED };
		return { kind: "done", value: await act(now) };
	});
}

const ENDED = "the program in the pane has ended";

async function whileLocked<R>(
	doors: LockDeps["doors"],
	stateDir: string,
	place: { readonly window: string; readonly lockMs: number },
	signal: AbortSignal | undefined,
	act: () => Promise<R>,
): Promise<R | { readonly kind: "busy"; readonly why: string }> {
	const { window, lockMs } = place;
	const lock = await takePasteLock(doors, stateDir, window, lockMs, signal);
	if (lock.kind === "held")
		return { kind: "busy", why: "another paste is under way" };
	if (lock.kind === "cannot-open")
		return { kind: "busy", why: `the paste lock: ${lock.reason}` };
	try {
		return await act();
	} finally {
		lock.lock.release();
	}
}
