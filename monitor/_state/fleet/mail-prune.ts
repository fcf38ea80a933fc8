/** Old mail leaves the boxes of a fleet that is kept here, and its messages with it: nothing else would ever remove them (contract 09 §6.1). */
import { join } from "node:path";
import type { Files } from "../../_sys/doors.ts";
import { listInbox, readTime, removeLetter } from "./inbox.ts";
import { isMessageId, removeMessage } from "./message.ts";
import { idTimeMs } from "./sortable-id.ts";

const DAY_MS = 86_400_000;
/** A read message is kept for as long as a sender may still ask whether it was. */
const READ_MS = 7 * DAY_MS;
/** An unread one may be all that its recipient has to go by; after a month its recipient is gone, or never looks. */
const UNREAD_MS = 30 * DAY_MS;

/** A box that cannot be listed may name any message: then no message goes. */
export function pruneMail(files: Files, thrumDir: string, nowMs: number): void {
	const isOld = (id: string, afterMs: number) => {
		const at = idTimeMs(id);
		return at !== null && nowMs - at > afterMs;
	};
	const recipients = namesIn(files, join(thrumDir, "inbox"));
	if (recipients === null) return;
	const kept = new Set<string>();
	for (const who of recipients) {
		const box = listInbox(files, thrumDir, who);
		if (box.kind === "unreadable") return;
		for (const { messageId: id, isRead } of box.letters) {
			const readAt = isRead ? readTime(files, thrumDir, who, id) : null;
			const isDone =
				isOld(id, UNREAD_MS) ||
				(readAt !== null && isOld(id, READ_MS) && nowMs - readAt > READ_MS);
			if (isDone) removeLetter(files, thrumDir, who, id);
			else kept.add(id);
		}
	}
	const isOver = (id: string) => isOld(id, READ_MS) && !kept.has(id);
	for (const sender of namesIn(files, join(thrumDir, "sent")) ?? [])
		for (const id of namesIn(files, join(thrumDir, "sent", sender)) ?? [])
			if (isMessageId(id) && isOver(id))
				files.remove(join(thrumDir, "sent", sender, id));
	for (const name of namesIn(files, join(thrumDir, "messages")) ?? []) {
		const id = name.replace(/\.json$/, "");
		if (isMessageId(id) && isOver(id)) removeMessage(files, thrumDir, id);
	}
}

/** Null: could not look. */
function namesIn(
	files: Pick<Files, "list">,
	dir: string,
): readonly string[] | null {
	const listed = files.list(dir);
	if (listed.kind === "absent") return [];
	return listed.kind === "ok" ? listed.names : null;
}
