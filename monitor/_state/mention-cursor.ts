/**
 * `last-mention-cursor.txt`, `last-bot-mention-cursor.txt`: the newest of each table that a search of
 * mentions has given out (contract 02 §8.1). Three numbers, because ids of comments, issues and pull
 * requests have nothing to do with each other: one shared number, set by a comment, hides every issue.
 */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";
import { parseKv, renderKv } from "./kv.ts";

/** Largest id given out; 0 = none yet. */
export interface MentionCursor {
	readonly comment: bigint;
	readonly issue: bigint;
	readonly pull: bigint;
}
export type MentionTable = keyof MentionCursor;
export type MentionSearch = "mentions" | "bot_mentions";

const NO_MENTIONS_YET: MentionCursor = {
	comment: 0n,
	issue: 0n,
	pull: 0n,
};

function mentionCursorPath(stateDir: string, search: MentionSearch): string {
	return search === "mentions"
		? join(stateDir, "last-mention-cursor.txt")
		: join(stateDir, "last-bot-mention-cursor.txt");
}

/** A single number is an older writer's, and its comment cursor. Null for text that is neither. */
export function parseMentionCursor(text: string): MentionCursor | null {
	const single = bigOf(text.trim());
	if (single !== null) return { ...NO_MENTIONS_YET, comment: single };
	const kv = parseKv(text);
	if (!["comment", "issue", "pull"].some((table) => kv.has(table))) return null;
	const at = (table: MentionTable) => bigOf(kv.get(table) ?? "0");
	const [comment, issue, pull] = [at("comment"), at("issue"), at("pull")];
	return comment === null || issue === null || pull === null
		? null
		: { comment, issue, pull };
}

/** What was lost is walked again, never skipped. */
export function readMentionCursor(
	doors: StateDoors,
	stateDir: string,
	search: MentionSearch,
): MentionCursor {
	const path = mentionCursorPath(stateDir, search);
	const read = readState(doors, stateDir, path, parseMentionCursor);
	return read.kind === "ok" ? read.value : NO_MENTIONS_YET;
}

/** Best effort: what is found twice is damped further on. */
export function writeMentionCursor(
	files: Files,
	stateDir: string,
	search: MentionSearch,
	{ comment, issue, pull }: MentionCursor,
): void {
	files.writeAtomic(
		mentionCursorPath(stateDir, search),
		renderKv([
			["comment", String(comment)],
			["issue", String(issue)],
			["pull", String(pull)],
		]),
	);
}

function bigOf(text: string): bigint | null {
	return /^\d{1,30}$/.test(text) ? BigInt(text) : null;
}
