/** The Claude Code session that called us (contract 05 §7.1). */
import { join } from "node:path";
import { isSessionId } from "../_state/orchestrator-session-id.ts";
import type { Files, Proc } from "../_sys/doors.ts";
import { lookAtSession } from "./session-look.ts";

/** A shell in a shell in a tool call is a handful of generations. */
const MAX_GENERATIONS = 32;

/**
 * Its id by the environment, else by the session file of the nearest ancestor that has a live one, else by the project's
 * note. Null: unknown. Never by folder or by the newest file: that stamped workers' reports with the orchestrator's id,
 * and a resume then revived the wrong session.
 */
export function callerSession(doors: {
	readonly files: Files;
	readonly proc: Proc;
}): string | null {
	const { env } = doors.proc;
	const named = env.CLAUDE_CODE_SESSION_ID ?? "";
	if (isSessionId(named)) return named;
	return ancestorSession(doors) ?? notedSession(doors);
}

function ancestorSession(doors: {
	readonly files: Files;
	readonly proc: Proc;
}): string | null {
	const { files, proc } = doors;
	const home = proc.env.NEXUS_CC_HOME || proc.env.CLAUDE_CONFIG_DIR;
	const asked = { ...proc, env: { ...proc.env, CLAUDE_CONFIG_DIR: home } };
	let pid = proc.ppid;
	for (let n = 0; n < MAX_GENERATIONS && pid > 1; n++) {
		const stat = proc.stat(pid);
		if (stat.kind !== "ok") return null;
		const { startTicks, ppid } = stat.value;
		const witness = lookAtSession(
			{ files, proc: asked },
			{ pid, startTicks, startedAt: null, pidNamespace: proc.pidNamespace() },
		);
		if (witness.live && witness.sessionId !== null) return witness.sessionId;
		pid = ppid;
	}
	return null;
}

function notedSession({
	files,
	proc,
}: {
	readonly files: Files;
	readonly proc: Proc;
}): string | null {
	const dir = proc.env.CLAUDE_PROJECT_DIR;
	if (!dir) return null;
	const read = files.read(join(dir, "sessions/current_session_id"));
	const id = read.kind === "ok" ? read.text.trim() : "";
	return isSessionId(id) ? id : null;
}
