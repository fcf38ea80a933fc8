/** A file that is about to be published, read once. */
import { resolve } from "node:path";
import type { Settings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";
import { linkFlaw } from "./link-flaw.ts";
import { callerFolder } from "./reports-dir.ts";
import { secretFileFlaw, secretTextFlaw } from "./secrets.ts";

export type LocalFile =
	| { readonly kind: "ok"; readonly path: string; readonly bytes: Uint8Array }
	| { readonly kind: "absent" }
	| { readonly kind: "refused"; readonly why: string };

/** `given` may be relative to the caller's folder. Neither a symlink that leads elsewhere is published nor a key. */
export function readLocalFile(
	doors: Pick<Doors, "files" | "proc">,
	given: string,
	settings: Settings,
	maxBytes: number,
): LocalFile {
	const { files } = doors;
	const path = resolve(callerFolder(doors), given);
	const found = files.lstat(path);
	if (found.kind === "absent") return found;
	if (found.kind === "unreadable") return refused(found.reason);
	const flaw = linkFlaw(files, path, settings);
	if (flaw !== null) return refused(flaw);
	const real = files.realpath(path) ?? path;
	const holder = secretFileFlaw(doors, real, settings);
	if (holder !== null) return refused(holder);
	const read = files.readBytes(real, maxBytes);
	if (read.kind === "absent") return read;
	if (read.kind !== "ok") return refused(read.reason);
	const secret = secretTextFlaw(read.bytes);
	return secret === null
		? { kind: "ok", path, bytes: read.bytes }
		: refused(secret);
}

function refused(why: string): LocalFile {
	return { kind: "refused", why };
}
