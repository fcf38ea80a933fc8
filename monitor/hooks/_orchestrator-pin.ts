/** The orchestrator's session tells who it is, and which window is its (contract 08 §2.10). */
import { textAt } from "../_state/json-object.ts";
import { isSessionId, writePin } from "../_state/orchestrator-session-id.ts";
import type { PaneRow, Tmux } from "../_sys/doors.ts";
import type { HookCall } from "./_io.ts";

/** UserPromptSubmit, every time: a `/clear` makes a new session. */
export async function pinOrchestrator(call: HookCall): Promise<undefined> {
	const { payload, env, stateDir, files } = call;
	if (stateDir === null || env.CLAUDE_JOB_DIR) return;
	const sessionId = textAt(payload, "session_id");
	if (sessionId !== null && isSessionId(sessionId)) {
		files.mkdir(stateDir);
		writePin(files, stateDir, sessionId);
	}
	// Ungated it would rename whatever window a test or a person runs this in.
	if (env.NEXUS_IS_ORCHESTRATOR !== "1" || !env.TMUX_PANE) return;
	const tmux = await call.tmux();
	const listed = await tmux.panes();
	if (listed.kind !== "ok") return;
	const own = listed.rows.find((row) => row.paneId === env.TMUX_PANE);
	if (own !== undefined)
		await nameWindow(
			tmux,
			own,
			env.NEXUS_ORCHESTRATOR_WINDOW || "orchestrator",
		);
}

/** The watcher finds the window by the configured name; a name of our own making once had it respawn the orchestrator for ever. */
async function nameWindow(
	tmux: Tmux,
	{ windowId: target, windowName }: PaneRow,
	name: string,
): Promise<void> {
	for (const option of ["automatic-rename", "allow-rename"])
		await tmux.run({
			kind: "set-option",
			scope: "window",
			target,
			name: option,
			value: "off",
		});
	if (windowName !== name)
		await tmux.run({ kind: "rename-window", target, name });
}
