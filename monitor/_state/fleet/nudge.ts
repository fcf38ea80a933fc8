/** `T/nudges/<recipient>`: a pane that is still to be told of its mail; the text is the sender (contract 09 §6.6). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";

/** Makes the folder; a later sender replaces an earlier one, for one nudge tells of all mail. */
export function writeNudge(
	files: Files,
	thrumDir: string,
	recipient: string,
	sender: string,
): WriteResult {
	files.mkdir(join(thrumDir, "nudges"), 0o700);
	return files.writeAtomic(nudgePath(thrumDir, recipient), `${sender}\n`, {
		mode: 0o600,
	});
}

/** It was typed, all mail is read, or nobody is there to be told. */
export function dropNudge(
	files: Files,
	thrumDir: string,
	recipient: string,
): WriteResult {
	return files.remove(nudgePath(thrumDir, recipient));
}

export interface PendingNudge {
	readonly recipient: string;
	readonly sender: string;
}

/** Empty when the folder is absent or cannot be read; one without a sender is skipped. */
export function listNudges(
	files: Pick<Files, "list" | "read">,
	thrumDir: string,
): readonly PendingNudge[] {
	const listed = files.list(join(thrumDir, "nudges"));
	if (listed.kind !== "ok") return [];
	return listed.names
		.filter((name) => !name.includes(".tmp."))
		.flatMap((recipient) => {
			const read = files.read(nudgePath(thrumDir, recipient), 1024);
			const sender = read.kind === "ok" ? read.text.trim() : "";
			return sender === "" ? [] : [{ recipient, sender }];
		});
}

function nudgePath(thrumDir: string, recipient: string): string {
	return join(thrumDir, "nudges", recipient);
}
