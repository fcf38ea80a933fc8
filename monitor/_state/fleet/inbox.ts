/**
 * `T/inbox/<recipient>/new|cur/<msg_id>` and `T/sent/<sender>/<msg_id>`: empty files; the folder says whether a message
 * was read, the time of one in `cur` when (contract 09 §6.1).
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import { isMessageId } from "./message.ts";

export interface Letter {
	readonly messageId: string;
	readonly isRead: boolean;
}
export type Letters =
	| { readonly kind: "ok"; readonly letters: readonly Letter[] }
	| { readonly kind: "unreadable"; readonly why: string };

/** Makes the folder; flushed, because the sender is told that it arrived. */
export function putInInbox(
	files: Files,
	thrumDir: string,
	recipient: string,
	messageId: string,
): WriteResult {
	const dir = box(thrumDir, recipient, "new");
	const made = files.mkdir(dir, 0o700);
	if (made.kind !== "ok") return made;
	return files.writeAtomic(join(dir, messageId), "", {
		mode: 0o600,
		fsync: true,
	});
}

/** Oldest first: ids sort by time. */
export function listInbox(
	files: Pick<Files, "list">,
	thrumDir: string,
	recipient: string,
): Letters {
	const letters: Letter[] = [];
	// `cur` first: a message that is read meanwhile shows twice rather than not at all.
	for (const folder of ["cur", "new"] as const) {
		const listed = files.list(box(thrumDir, recipient, folder));
		if (listed.kind === "unreadable")
			return { kind: "unreadable", why: listed.reason };
		const names = listed.kind === "ok" ? listed.names : [];
		for (const messageId of names.filter(isMessageId))
			letters.push({ messageId, isRead: folder === "cur" });
	}
	const byId = new Map(letters.map((letter) => [letter.messageId, letter]));
	const sorted = [...byId.values()].sort((a, b) =>
		a.messageId < b.messageId ? -1 : 1,
	);
	return { kind: "ok", letters: sorted };
}

/** Moves it to `cur`; one that is not in `new` fails with ENOENT. */
export function markRead(
	files: Files,
	thrumDir: string,
	recipient: string,
	messageId: string,
): WriteResult {
	const cur = box(thrumDir, recipient, "cur");
	files.mkdir(cur, 0o700);
	const path = join(cur, messageId);
	const from = join(box(thrumDir, recipient, "new"), messageId);
	const moved = files.rename(from, path);
	// Its time is when it was read, not when it came.
	return moved.kind === "ok" ? files.touch(path) : moved;
}

/** Out of the box, read or not; the message itself stays. */
export function removeLetter(
	files: Files,
	thrumDir: string,
	recipient: string,
	messageId: string,
): void {
	for (const folder of ["new", "cur"] as const)
		files.remove(join(box(thrumDir, recipient, folder), messageId));
}

/** When the recipient read it, epoch milliseconds; null: not yet, or nobody can say. */
export function readTime(
	files: Pick<Files, "stat">,
	thrumDir: string,
	recipient: string,
	messageId: string,
): number | null {
	const found = files.stat(join(box(thrumDir, recipient, "cur"), messageId));
	return found.kind === "ok" ? found.stat.mtimeMs : null;
}

/** Makes the folder. Only a record: it is not flushed. */
export function putInSent(
	files: Files,
	thrumDir: string,
	sender: string,
	messageId: string,
): WriteResult {
	const dir = join(thrumDir, "sent", sender);
	const made = files.mkdir(dir, 0o700);
	if (made.kind !== "ok") return made;
	return files.writeAtomic(join(dir, messageId), "", { mode: 0o600 });
}

export type Sent =
	| { readonly kind: "ok"; readonly messageIds: readonly string[] }
	/** Who asks for what is still unread must not hear "nothing". */
	| { readonly kind: "unreadable"; readonly why: string };

/** Oldest first. */
export function listSent(
	files: Pick<Files, "list">,
	thrumDir: string,
	sender: string,
): Sent {
	const listed = files.list(join(thrumDir, "sent", sender));
	if (listed.kind === "unreadable")
		return { kind: "unreadable", why: listed.reason };
	const names = listed.kind === "ok" ? listed.names : [];
	return { kind: "ok", messageIds: names.filter(isMessageId) };
}

function box(thrumDir: string, recipient: string, folder: "new" | "cur") {
	return join(thrumDir, "inbox", recipient, folder);
}
