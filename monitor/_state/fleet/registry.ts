/** `T/registry/<agent>.json`: an agent that was started here (contract 09 §6.1). */
import { join } from "node:path";
import type { TmuxServer } from "../../_sys/doors.ts";
import { type JsonObject, numberAt, textAt } from "../json-object.ts";
import { entryFolder } from "./entries.ts";
import { isAgentName } from "./names.ts";

export interface RegistryEntry {
	readonly agentId: string;
	readonly role: string;
	readonly module: string;
	readonly runtime: string;
	readonly worktree: string;
	readonly branch: string | null;
	readonly tmuxSession: string;
	/** `%N`, valid on `tmuxServer` alone. */
	readonly tmuxPane: string | null;
	readonly tmuxServer: TmuxServer | null;
	readonly agentPid: number | null;
	/** Field 22 of /proc/<pid>/stat. */
	readonly agentStart: string | null;
	readonly sessionId: string | null;
	readonly intent: string | null;
	readonly model: string;
	readonly effort: string;
	readonly runId: string;
	readonly registeredAt: string;
}

/** By the agent's name. */
export const registry = entryFolder<RegistryEntry>({
	dirOf: (thrumDir) => join(thrumDir, "registry"),
	nameOf: ({ agentId }) => agentId,
	parse,
	render,
});

/** Snake case; what is not known is left out. */
function render(e: RegistryEntry): JsonObject {
	const json: JsonObject = {
		agent_id: e.agentId,
		role: e.role,
		module: e.module,
		runtime: e.runtime,
		worktree: e.worktree,
		branch: e.branch,
		tmux_session: e.tmuxSession,
		tmux_target: e.tmuxPane,
		tmux_server: e.tmuxServer && {
			pid: e.tmuxServer.pid,
			start_time: e.tmuxServer.startTime,
		},
		agent_pid: e.agentPid,
		agent_start: e.agentStart,
		session_id: e.sessionId,
		intent: e.intent,
		model: e.model,
		effort: e.effort,
		run_id: e.runId,
		registered_at: e.registeredAt,
	};
	return Object.fromEntries(
		Object.entries(json).filter(([, value]) => value !== null),
	);
}

/** Without a name, a session or a folder it is nobody. */
function parse(json: JsonObject): RegistryEntry | null {
	const agentId = textAt(json, "agent_id");
	const tmuxSession = textAt(json, "tmux_session");
	const worktree = textAt(json, "worktree");
	if (agentId === null || !isAgentName(agentId)) return null;
	if (tmuxSession === null || worktree === null) return null;
	const pid = numberAt(json, "tmux_server", "pid");
	const startTime = numberAt(json, "tmux_server", "start_time");
	return {
		agentId,
		tmuxSession,
		worktree,
		role: textAt(json, "role") ?? "worker",
		module: textAt(json, "module") ?? agentId,
		runtime: textAt(json, "runtime") ?? "claude",
		branch: textAt(json, "branch"),
		tmuxPane: textAt(json, "tmux_target"),
		tmuxServer: pid === null || startTime === null ? null : { pid, startTime },
		agentPid: numberAt(json, "agent_pid"),
		agentStart: textAt(json, "agent_start"),
		sessionId: textAt(json, "session_id"),
		intent: textAt(json, "intent"),
		model: textAt(json, "model") ?? "",
		effort: textAt(json, "effort") ?? "",
		runId: textAt(json, "run_id") ?? "",
		registeredAt: textAt(json, "registered_at") ?? "",
	};
}
