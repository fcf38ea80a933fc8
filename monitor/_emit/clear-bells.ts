/** Answers bells: looks at each window from a session of our own, so that nobody's focus moves (contract 01 §9.1). */
import type { PaneRow, Proc, Tmux } from "../_sys/doors.ts";
import { oneLine } from "./clean-text.ts";

type Doors = {
	readonly tmux: Tmux;
	readonly proc: Pick<Proc, "pid" | "alive">;
};

const HELPER = "nx-bell-clear-";

/** Clears the flags of windows with these names that still ring. Best effort: a flag that stays is reported again. */
export async function clearBells(
	doors: Doors,
	names: ReadonlySet<string>,
	signal?: AbortSignal,
): Promise<void> {
	const listed = await doors.tmux.panes(signal);
	if (listed.kind !== "ok") return;
	await endHelpers(doors, listed.rows, signal);
	for (const [session, windows] of ringing(listed.rows, names))
		await lookAt(doors, session, windows, signal);
}

/** Windows that ring, by one session that shows them. */
function ringing(
	rows: readonly PaneRow[],
	names: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
	const bySession = new Map<string, string[]>();
	const seen = new Set<string>();
	for (const row of rows) {
		if (!row.bell || !names.has(oneLine(row.windowName))) continue;
		if (seen.has(row.windowId) || row.session.startsWith(HELPER)) continue;
		seen.add(row.windowId);
		const windows = bySession.get(row.sessionId) ?? [];
		bySession.set(row.sessionId, [...windows, row.windowId]);
	}
	return bySession;
}

async function lookAt(
	{ tmux, proc }: Doors,
	session: string,
	windows: readonly string[],
	signal?: AbortSignal,
): Promise<void> {
	const made = await tmux.run(
		{
			kind: "new-session",
			name: `${HELPER}${proc.pid}`,
			groupWith: session,
		},
		signal,
	);
	const helper =
		made.kind === "ok" ? /^(\$\d+)\|/.exec(made.stdout)?.[1] : undefined;
	if (helper === undefined) return;
	for (const target of windows)
		await tmux.run({ kind: "select-window", target, session: helper }, signal);
	// Without the signal: an aborted run must not leave its helper behind.
	await tmux.run({ kind: "kill-session", target: helper });
}

/** Helpers that a watcher of ours left behind: its own, or one whose process is gone. One that alone keeps a window alive stays. */
async function endHelpers(
	{ tmux, proc }: Doors,
	rows: readonly PaneRow[],
	signal?: AbortSignal,
): Promise<void> {
	const shownElsewhere = new Set(
		rows.filter((r) => !r.session.startsWith(HELPER)).map((r) => r.windowId),
	);
	const stale = new Set<string>();
	const needed = new Set<string>();
	for (const row of rows) {
		const [, pid] = /^nx-bell-clear-(\d+)$/.exec(row.session) ?? [];
		if (pid === undefined) continue;
		if (!shownElsewhere.has(row.windowId)) needed.add(row.sessionId);
		if (Number(pid) === proc.pid || !proc.alive(Number(pid)))
			stale.add(row.sessionId);
	}
	for (const target of stale)
		if (!needed.has(target))
			await tmux.run({ kind: "kill-session", target }, signal);
}
