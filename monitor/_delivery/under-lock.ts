/** Work on one window's pane while nobody else pastes into it (contract 04 §2). */
import { takePasteLock } from "../_state/paste-lock.ts";
import type { Doors, PaneRow } from "../_sys/doors.ts";
import { resolveActivePane } from "../_sys/tmux-lookup.ts";
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
	const lock = await takePasteLock(doors, stateDir, window, lockMs, signal);
	if (lock.kind === "held")
		return { kind: "busy", why: "another paste is under way" };
	if (lock.kind === "cannot-open")
		return { kind: "busy", why: `the paste lock: ${lock.reason}` };
	try {
		const rows = await doors.tmux.panes(signal);
		const live = paneLiveness(rows, window);
		if (live === "absent") return { kind: "absent", why: "no such window" };
		if (live === "dead")
			return { kind: "dead", why: "the program in the pane has ended" };
		const pane = resolveActivePane(rows, window);
		if (live === "unknown" || pane.kind !== "present")
			return {
				kind: "unknown",
				why: pane.kind === "could-not-look" ? pane.why : "could not look",
			};
		return { kind: "done", value: await act(pane.value) };
	} finally {
		lock.lock.release();
	}
}
