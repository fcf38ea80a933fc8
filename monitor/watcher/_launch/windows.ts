/** The launcher's two dealings with tmux: a server to watch, and the window of an old, visible watcher (contract 01 §17, steps 8 and 9). */

import { ownPane } from "../../_liveness/own-window.ts";
import type { Doors, PaneRows } from "../../_sys/doors.ts";

/** Creates session `nexus` when there is no tmux server at all. Could not look = leave it. */
export async function ensureSession(
	doors: Pick<Doors, "tmux" | "proc" | "log">,
	cwd: string,
	path: string,
): Promise<void> {
	if (doors.proc.env.TMUX) return;
	if (!isServerless(await doors.tmux.panes())) return;
	const made = await doors.tmux.run({
		kind: "new-session",
		name: "nexus",
		cwd,
		env: { PATH: path },
	});
	if (made.kind === "ok") doors.log.info("created tmux session 'nexus'");
	else doors.log.warn(`could not create tmux session 'nexus' (${made.kind})`);
}

/** tmux's words for "nobody listens here"; anything else may be a server that is slow or refuses. */
export function isServerless(rows: PaneRows): boolean {
	return (
		rows.kind === "failed" &&
		/no server running on|error connecting to .*\((No such file or directory|Connection refused)\)/.test(
			rows.stderr,
		)
	);
}

/** Closes windows named exactly `name`, by id; never the one we run in, never the target. */
export async function closeLeftover(
	doors: Pick<Doors, "tmux" | "proc" | "log">,
	name: string,
	target: string,
): Promise<void> {
	if (name === target) return;
	const panes = await doors.tmux.panes();
	if (panes.kind !== "ok") return;
	const mine = ownPane(doors.proc, panes.rows);
	const ids = panes.rows
		.filter((r) => r.windowName === name && r.windowId !== mine?.windowId)
		.map((r) => r.windowId);
	for (const id of new Set(ids)) {
		const closed = await doors.tmux.run({ kind: "kill-window", target: id });
		doors.log.info(
			closed.kind === "ok"
				? `closed leftover window '${name}' (${id})`
				: `could not close leftover window '${name}' (${id}): ${closed.kind}`,
		);
	}
}
