/** `T/messages/<msg_id>.json`: a message, never changed (contract 09 §6.1). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import {
	isObject,
	type JsonObject,
	parseObject,
	textAt,
	valueAt,
} from "../json-object.ts";

export interface Scope {
	readonly type: string;
	readonly value: string;
}
export interface Message {
	readonly messageId: string;
	readonly from: string;
	readonly to: readonly string[];
	/** Markdown. */
	readonly content: string;
	readonly createdAt: string;
	readonly replyTo?: string;
	readonly scopes?: readonly Scope[];
}

/** Before it becomes a file name. */
export function isMessageId(id: string): boolean {
	return /^msg_[0-9A-Z]{26}$/.test(id);
}

/** Fails with code EEXIST for an id that is taken. */
export function writeMessage(
	files: Files,
	thrumDir: string,
	message: Message,
): WriteResult {
	files.mkdir(join(thrumDir, "messages"), 0o700);
	const path = messagePath(thrumDir, message.messageId);
	if (files.stat(path).kind !== "absent")
		return { kind: "failed", code: "EEXIST", reason: `EEXIST: ${path}` };
	const text = `${JSON.stringify(renderMessage(message), null, "\t")}\n`;
	return files.writeAtomic(path, text, { mode: 0o600, fsync: true });
}

/** One that reached nobody. */
export function removeMessage(
	files: Pick<Files, "remove">,
	thrumDir: string,
	id: string,
): WriteResult {
	return files.remove(messagePath(thrumDir, id));
}

/** Null: not there, or not a message. */
export function readMessage(
	files: Pick<Files, "read">,
	thrumDir: string,
	id: string,
): Message | null {
	if (!isMessageId(id)) return null;
	const read = files.read(messagePath(thrumDir, id));
	return read.kind === "ok" ? parseMessage(read.text) : null;
}

/** Snake case, as other readers of the folder know it; what is absent is left out. */
export function renderMessage(m: Message): JsonObject {
	return {
		message_id: m.messageId,
		agent_id: m.from,
		to: m.to,
		body: { format: "markdown", content: m.content },
		created_at: m.createdAt,
		...(m.replyTo === undefined ? {} : { reply_to: m.replyTo }),
		...(m.scopes === undefined ? {} : { scopes: m.scopes }),
	};
}

/** Null without an id, a sender and a text; other fields of a wrong type count as absent. */
export function parseMessage(text: string): Message | null {
	const json = parseObject(text);
	const messageId = textAt(json, "message_id");
	const from = textAt(json, "agent_id");
	const content = valueAt(json, "body", "content");
	if (messageId === null || from === null || typeof content !== "string")
		return null;
	const to = valueAt(json, "to");
	const scopes = valueAt(json, "scopes");
	const replyTo = textAt(json, "reply_to");
	return {
		messageId,
		from,
		content,
		to: Array.isArray(to) ? to.filter((x) => typeof x === "string") : [],
		createdAt: textAt(json, "created_at") ?? "",
		...(replyTo === null ? {} : { replyTo }),
		...(Array.isArray(scopes) ? { scopes: scopes.flatMap(scopeOf) } : {}),
	};
}

function messagePath(thrumDir: string, id: string): string {
	return join(thrumDir, "messages", `${id}.json`);
}

function scopeOf(scope: unknown): readonly Scope[] {
	const type = textAt(scope, "type");
	const value = textAt(scope, "value");
	return isObject(scope) && type !== null && value !== null
		? [{ type, value }]
		: [];
}
