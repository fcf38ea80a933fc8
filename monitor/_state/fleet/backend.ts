/** `T/fleet-backend`: the one word that keeps a fleet from splitting into two that cannot see each other (contract 09 §4). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";

export type RecordedBackend = "thrum" | "local";

function backendPath(thrumDir: string): string {
	return join(thrumDir, "fleet-backend");
}

export type BackendRead =
	| { readonly kind: "ok"; readonly backend: RecordedBackend }
	| { readonly kind: "absent" }
	/** There, but it names no backend: nobody may guess. */
	| { readonly kind: "damaged"; readonly why: string };

/** `damaged` for any other word, and for a file that cannot be read: guessing would split the fleet. */
export function readBackend(
	files: Pick<Files, "read">,
	thrumDir: string,
): BackendRead {
	const path = backendPath(thrumDir);
	const read = files.read(path, 1024);
	if (read.kind === "absent") return read;
	if (read.kind === "unreadable")
		return { kind: "damaged", why: `${path}: ${read.reason}` };
	const word = read.text.trim();
	return word === "thrum" || word === "local"
		? { kind: "ok", backend: word }
		: { kind: "damaged", why: `${path} holds neither "thrum" nor "local"` };
}

/** Makes the folder; flushed to disk. */
export function writeBackend(
	files: Pick<Files, "mkdir" | "writeAtomic">,
	thrumDir: string,
	backend: RecordedBackend,
): WriteResult {
	files.mkdir(thrumDir);
	return files.writeAtomic(backendPath(thrumDir), `${backend}\n`, {
		fsync: true,
	});
}
