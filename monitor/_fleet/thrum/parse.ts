/** What `thrum` prints, read so that it cannot throw (contract 09 §5). Pure. */

import { bareName } from "../../_state/fleet/names.ts";
import {
	isObject,
	numberAt,
	textAt,
	valueAt,
} from "../../_state/json-object.ts";
import type {
	CaptureDoc,
	CaptureFooter,
	Member,
	MonitorView,
	Msg,
} from "../fleet.ts";

/** Human lines may come first, and an array with hints is wrapped. `undefined`: no JSON in it. */
export function jsonIn(stdout: string): unknown {
	const starts = [...stdout.matchAll(/^[{[]/gm)].map(({ index }) => index);
	for (const start of starts.slice(0, MOST_HUMAN_LINES)) {
		try {
			const value: unknown = JSON.parse(stdout.slice(start));
			return isObject(value) && "hints" in value && "result" in value
				? value.result
				: value;
		} catch {
			// A human line that begins with a bracket.
		}
	}
	return /^null\s*$/m.test(stdout) ? null : undefined;
}

/** Far more than come before an answer; each costs a look at all the rest. */
const MOST_HUMAN_LINES = 200;

/** An empty list may be null; `null` here: it is no list. */
export function listAt(
	value: unknown,
	...path: readonly string[]
): readonly unknown[] | null {
	const list = valueAt(value, ...path);
	if (Array.isArray(list)) return list;
	return list === null ? [] : null;
}

/** `team.members[]` or `members[]`, without reserved names; null: neither. */
export function membersIn(json: unknown): readonly Member[] | null {
	const rows = listAt(json, "team", "members") ?? listAt(json, "members");
	return (
		rows?.flatMap((row) => {
			const member = memberOf(row);
			return member === null || valueAt(row, "reserved") === true
				? []
				: [member];
		}) ?? null
	);
}

/** Null without a name; other fields of a wrong type count as absent. */
export function memberOf(row: unknown): Member | null {
	const agentId = textAt(row, "agent_id");
	if (agentId === null) return null;
	const session = textAt(row, "tmux_session") ?? undefined;
	const text = (key: string) => textAt(row, key) ?? undefined;
	const number = (key: string) => numberAt(row, key) ?? undefined;
	return {
		agentId: bareName(agentId),
		role: textAt(row, "role") ?? "",
		module: text("module"),
		runtime: text("runtime"),
		worktree: text("worktree"),
		branch: text("branch"),
		hostname: text("hostname"),
		isLocal: valueAt(row, "is_local") !== false,
		tmuxTarget: session,
		// `name:0.0`.
		tmuxSession: session?.replace(/:\d+(?:\.\d+)?$/, ""),
		tmuxState: tmuxStateOf(row),
		agentPid: number("agent_pid") ?? number("pid"),
		sessionId: text("session_id"),
		lastSeen: text("last_seen"),
		inboxTotal: number("inbox_total"),
		state: text("state"),
	};
}

/** Null when it is no such answer; rows without a name are skipped. */
export function sessionsIn(
	json: unknown,
): readonly { readonly name: string; readonly agent: string | null }[] | null {
	return (
		listAt(json, "sessions")?.flatMap((row) => {
			const name = textAt(row, "name");
			return name === null ? [] : [{ name, agent: textAt(row, "agent") }];
		}) ?? null
	);
}

/** Null when it is no such answer; rows that are no messages are skipped. */
export function messagesIn(json: unknown): readonly Msg[] | null {
	return listAt(json, "messages")?.flatMap(messageOf) ?? null;
}

/** Null when it is no list; rows that are no monitors are skipped. */
export function monitorsIn(json: unknown): readonly MonitorView[] | null {
	return listAt(json)?.flatMap((row) => monitorOf(row) ?? []) ?? null;
}

/** Null without id and name. A status we do not know counts as dead; of the environment only the keys are kept. */
export function monitorOf(row: unknown): MonitorView | null {
	const id = textAt(row, "id");
	const name = textAt(row, "name");
	if (id === null || name === null) return null;
	const argv = listAt(row, "argv") ?? [];
	const env = valueAt(row, "env");
	const status = textAt(row, "status");
	return {
		id,
		name,
		argv: argv.filter((word) => typeof word === "string"),
		match: textAt(row, "match") ?? "",
		target: bareName(textAt(row, "target") ?? ""),
		cwd: textAt(row, "cwd") ?? "",
		envKeys: isObject(env) ? Object.keys(env) : [],
		schedule: textAt(row, "schedule") ?? "",
		status: status === "running" || status === "stopped" ? status : "dead",
		pid: numberAt(row, "pid") ?? undefined,
		createdAt: textAt(row, "created_at") ?? "",
		updatedAt: textAt(row, "updated_at") ?? "",
	};
}

/** Null when it is no such answer. Not `ok` when nothing is on the screen. */
export function captureDocOf(json: unknown, agent: string): CaptureDoc | null {
	const rows = listAt(json, "lines");
	if (rows === null) return null;
	const lines = rows.filter((line) => typeof line === "string");
	const ghosts = listAt(json, "ghost_lines") ?? [];
	return {
		agent,
		runtime: textAt(json, "runtime") ?? undefined,
		ok: valueAt(json, "ok") !== false && lines.some((l) => l.trim() !== ""),
		lines,
		lineCount: numberAt(json, "line_count") ?? lines.length,
		footer: footerOf(valueAt(json, "footer")),
		ghostLines: ghosts.filter((n) => typeof n === "number"),
		composerText: textAt(json, "composer_text") ?? undefined,
		error: textAt(json, "error") ?? undefined,
	};
}

function footerOf(footer: unknown): CaptureFooter | null {
	if (!isObject(footer)) return null;
	return {
		model: textAt(footer, "model") ?? undefined,
		ctx: textAt(footer, "ctx") ?? undefined,
		ctxUsedPct: numberAt(footer, "ctx_used_pct") ?? undefined,
	};
}

/** A listing says who sent it; one of sent messages says who got it. */
function messageOf(row: unknown): readonly Msg[] {
	const messageId = textAt(row, "message_id");
	if (messageId === null) return [];
	const recipients = listAt(row, "recipients") ?? [];
	const read = recipients.map((r) => textAt(r, "read_at") !== null);
	return [
		{
			messageId,
			from: bareName(textAt(row, "agent_id") ?? ""),
			to: recipients.flatMap(
				(r) => bareName(textAt(r, "agent_id") ?? "") || [],
			),
			body: textAt(row, "body", "content") ?? textAt(row, "body") ?? "",
			createdAt: textAt(row, "created_at") ?? "",
			replyTo: textAt(row, "reply_to") ?? undefined,
			isRead:
				valueAt(row, "is_read") === true ||
				(read.length > 0 && read.every((r) => r)),
		},
	];
}

function tmuxStateOf(row: unknown): Member["tmuxState"] {
	const state = textAt(row, "tmux_state");
	if (state === "alive" || state === "stale" || state === "dead") return state;
	return valueAt(row, "tmux_alive") === true ? "alive" : "unknown";
}
