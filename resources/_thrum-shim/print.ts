/** What the shim prints: the JSON that thrum prints, and short lines for people (contract 09 §5, §6.7). Pure. */
import type {
	CaptureDoc,
	Member,
	MonitorView,
	Msg,
} from "../../monitor/_fleet/fleet.ts";
import type { RunRow } from "../../monitor/_state/fleet/monitor-log.ts";
import { harmless } from "../../monitor/_sys/stderr.ts";

/** Fields without a value are left out. */
export function json(value: unknown): string {
	return JSON.stringify(value, null, 2);
}

/** A row of `thrum team --json`. */
export function memberRow(m: Member) {
	return {
		agent_id: m.agentId,
		role: m.role,
		module: m.module,
		runtime: m.runtime,
		worktree: m.worktree,
		branch: m.branch,
		is_local: m.isLocal,
		tmux_session: m.tmuxSession,
		tmux_state: m.tmuxState,
		tmux_alive: m.tmuxState === "alive",
		agent_pid: m.agentPid,
		session_id: m.sessionId,
		last_seen: m.lastSeen,
		inbox_total: m.inboxTotal ?? 0,
		status: m.tmuxState === "dead" ? "offline" : "active",
	};
}

/** Name, role, runtime, state, session, worktree. */
export function memberLine(m: Member): string {
	return columns(
		...[`@${m.agentId}`, m.role, m.runtime ?? "-", m.tmuxState],
		...[m.tmuxSession ?? "-", m.worktree ?? "-"],
	);
}

/** A row of an inbox, as `thrum/parse.ts` reads it. */
export function messageRow(m: Msg) {
	return {
		message_id: m.messageId,
		agent_id: m.from,
		reply_to: m.replyTo,
		body: { format: "markdown", content: m.body },
		created_at: m.createdAt,
		is_read: m.isRead,
	};
}

/** Head and text, for people. */
export function messageText(m: Msg): string {
	const mark = m.isRead ? "" : " (unread)";
	const head = `${m.messageId} from @${m.from} at ${m.createdAt}${mark}`;
	return `${head}\n${bodyText(m.body)}\n`;
}

/** Head and text, for people; whether it was read stands in the head. */
export function sentText(m: Msg): string {
	const mark = m.isRead ? "" : " (not read yet)";
	const head = `${m.messageId} to @${m.to.join(", @")} at ${m.createdAt}${mark}`;
	return `${head}\n${bodyText(m.body)}\n`;
}

/** Indented, so that no line of a body passes for the head of a message from somebody else. */
function bodyText(body: string): string {
	return harmless(body).replace(/^/gm, "  ");
}

/** A monitor as `thrum/parse.ts` reads it; values of the environment are shown to nobody. */
export function monitorRow(m: MonitorView) {
	return {
		id: m.id,
		name: m.name,
		argv: m.argv,
		match: m.match,
		target: `@${m.target}`,
		cwd: m.cwd,
		env: Object.fromEntries(m.envKeys.map((key) => [key, "<redacted>"])),
		debounce_seconds: 0,
		schedule: m.schedule,
		status: m.status,
		pid: m.pid,
		created_at: m.createdAt,
		updated_at: m.updatedAt,
		last_exit_code: m.lastExitCode,
		last_exit_at: m.lastExitAt,
	};
}

/** Name, state, schedule, target, last run. */
export function monitorLine(m: MonitorView): string {
	const last =
		m.lastExitAt === undefined
			? "never ran"
			: `exit ${m.lastExitCode} at ${m.lastExitAt}`;
	return columns(m.name, m.status, `"${m.schedule}"`, `@${m.target}`, last);
}

/** The line, and what the job runs and looks for. */
export function monitorText(m: MonitorView): string {
	return [
		monitorLine(m),
		`  argv: ${m.argv.join(" ")}`,
		`  match: ${m.match}`,
		`  cwd: ${m.cwd}`,
		`  env: ${m.envKeys.map((key) => `${key}=<redacted>`).join(" ")}`,
	].join("\n");
}

/** When, how it ended, how long it took, what came of it. */
export function runLine(row: RunRow): string {
	const exit = row.exitCode === null ? "-" : `exit ${row.exitCode}`;
	return columns(
		...[row.at, row.outcome, exit, `${row.seconds}s`],
		...[`${row.matched} matched`, row.messageId ?? "nothing sent"],
	);
}

/** A capture as `thrum/parse.ts` reads it. */
export function docRow(doc: CaptureDoc) {
	return {
		agent: doc.agent,
		runtime: doc.runtime,
		ok: doc.ok,
		line_count: doc.lineCount,
		footer: doc.footer && {
			model: doc.footer.model,
			ctx: doc.footer.ctx,
			ctx_used_pct: doc.footer.ctxUsedPct,
		},
		lines: doc.lines,
		ghost_lines: doc.ghostLines,
		has_ghost: doc.ghostLines.length > 0,
		composer_text: doc.composerText,
		error: doc.error,
	};
}

function columns(...cells: readonly string[]): string {
	return cells.join("  ");
}
