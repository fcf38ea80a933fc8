/** The tmux window that called us (contract 05 §2.8). */
import type { Tmux } from "./doors.ts";

/**
 * The name in the row whose pane id is exactly `TMUX_PANE`; null outside tmux, without such a row, or for a background
 * session, which carries a stranger's pane. tmux is never asked about a target: for a pane that is gone it answers for
 * the active window, which once credited the workers' work to the orchestrator.
 */
export async function callerWindow(
	tmux: Pick<Tmux, "panes">,
	env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
	if (!env.TMUX || !env.TMUX_PANE || env.CLAUDE_JOB_DIR) return null;
	const listed = await tmux.panes();
	if (listed.kind !== "ok") return null;
	const row = listed.rows.find((r) => r.paneId === env.TMUX_PANE);
	return row?.windowName || null;
}
