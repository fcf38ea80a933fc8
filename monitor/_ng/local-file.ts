/** A file that is about to be published, read once. */
import { dirname, resolve } from "node:path";
import type { Doors } from "../_sys/doors.ts";
import { callerFolder } from "./reports-dir.ts";

export type LocalFile =
	| { readonly kind: "ok"; readonly path: string; readonly bytes: Uint8Array }
	| { readonly kind: "absent" }
	| { readonly kind: "refused"; readonly why: string };

/**
 * `given` may be relative to the caller's folder. A symlink in the file's place is followed within its own folder and
 * within `root`, the nexus root; one that leads elsewhere could publish a key under a report's name.
 */
export function readLocalFile(
	doors: Pick<Doors, "files" | "proc">,
	given: string,
	root: string,
	maxBytes: number,
): LocalFile {
	const { files } = doors;
	const path = resolve(callerFolder(doors), given);
	const found = files.lstat(path);
	if (found.kind === "absent") return found;
	if (found.kind === "unreadable") return refused(found.reason);
	const real = found.stat.kind === "symlink" ? files.realpath(path) : path;
	if (real === null) return refused("a symlink that leads nowhere");
	const trees = [dirname(path), root].map((dir) => files.realpath(dir) ?? dir);
	if (real !== path && !trees.some((tree) => real.startsWith(`${tree}/`)))
		return refused(`a symlink that leads out of its folder, to ${real}`);
	const read = files.readBytes(real, maxBytes);
	if (read.kind === "absent") return read;
	return read.kind === "ok"
		? { kind: "ok", path, bytes: read.bytes }
		: refused(read.reason);
}

function refused(why: string): LocalFile {
	return { kind: "refused", why };
}
