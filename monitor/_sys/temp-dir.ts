/** Where small files go that are needed for a moment, or for as long as the machine runs. */
import type { Doors, Files } from "./doors.ts";

/**
 * `TMPDIR` while it is a folder that can be written, else `/tmp`: a batch job's own goes with the job, and a watcher or a
 * tmux server that it started lives on.
 */
export function tempDir({
	files,
	proc,
}: {
	readonly files: FolderLook;
	readonly proc: Pick<Doors["proc"], "env">;
}): string {
	return firstFolder(files, [proc.env.TMPDIR]);
}

type FolderLook = Pick<Files, "stat" | "probeWritable">;
const LAST = "/tmp";

/** The first of these that is an absolute path of a folder and takes a file; `/tmp` where none is. */
export function firstFolder(
	files: FolderLook,
	asked: readonly (string | undefined)[],
): string {
	const isOne = (path: string | undefined) => {
		if (!path?.startsWith("/")) return false;
		if (path === LAST) return true;
		const found = files.stat(path);
		if (found.kind !== "ok" || found.stat.kind !== "dir") return false;
		return files.probeWritable(path).kind === "ok";
	};
	return asked.find(isOne) ?? LAST;
}
