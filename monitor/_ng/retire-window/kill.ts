/** Ends one window by its id, and knows that it did (contract 05 §13.4). */
import type { PaneRow, PaneRows, Tmux } from "../../_sys/doors.ts";
import { sameServer, tmuxFailureText } from "../../_sys/tmux-lookup.ts";

export type Presence =
	| { readonly kind: "present"; readonly row: PaneRow }
	| { readonly kind: "absent" }
	| { readonly kind: "could-not-look"; readonly why: string };

/** By exact comparison in our own rows: a dotted name given to tmux is read as window and pane. Pure. */
export function presenceOf(rows: PaneRows, window: string): Presence {
	if (rows.kind !== "ok")
		return { kind: "could-not-look", why: tmuxFailureText(rows) };
	const own = rows.rows.filter((row) => row.windowName === window);
	const ids = new Set(own.map((row) => row.windowId));
	const [row] = own;
	if (ids.size > 1)
		return { kind: "could-not-look", why: `${ids.size} windows of this name` };
	return row === undefined ? { kind: "absent" } : { kind: "present", row };
}

/** Null when the window is gone; else why it is not. An id counts only on the server that gave it. */
export async function killWindow(
	tmux: Tmux,
	row: PaneRow,
): Promise<string | null> {
	const listed = await tmux.panes();
	if (listed.kind !== "ok") return tmuxFailureText(listed);
	const [any] = listed.rows;
	if (any === undefined || !sameServer(any.server, row.server))
		return "tmux was started anew since the window was looked at";
	const target = row.windowId;
	const now = listed.rows.find((r) => r.windowId === target);
	if (now !== undefined && now.windowName !== row.windowName)
		return `${target} is window ${now.windowName} now`;
	const killed = await tmux.run({ kind: "kill-window", target });
	const exists = await tmux.exists(target);
	if (exists === "no") return null;
	if (killed.kind !== "ok") return tmuxFailureText(killed);
	return exists === "yes"
		? `${target} is still there`
		: "whether it is gone could not be asked";
}
