/** A new version waits while much is under way: whoever starts next gets a binary that the others do not have (contract 06 §13.3). */
import { windowProvenancePath } from "../_state/window-provenance.ts";
import type { ApplyContext } from "./context.ts";

/** Why it waits; null: go. Agents are the live windows that were spawned, but for the caller's own. */
export async function deferForAgents({
	doors,
	settings,
}: Pick<ApplyContext, "doors" | "settings">): Promise<string | null> {
	const listed = await doors.tmux.panes();
	// Without a server nobody runs, and a tmux that does not answer is no reason to keep an old version.
	if (listed.kind !== "ok") return null;
	const own = doors.proc.env.NEXUS_WORKER_WINDOW;
	const live = new Set(
		listed.rows
			.filter((row) => row.paneDead !== "1")
			.map((row) => row.windowName),
	);
	const isAgent = (window: string) =>
		doors.files.stat(windowProvenancePath(settings.home.stateDir, window))
			.kind === "ok";
	const agents = [...live].filter((w) => w !== own && isAgent(w)).length;
	const most = settings.config["monitor.cc_auto_update.max_live_windows"];
	return agents > most
		? `${agents} agents run, more than monitor.cc_auto_update.max_live_windows (${most})`
		: null;
}
