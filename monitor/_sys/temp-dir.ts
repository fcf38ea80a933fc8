/** Where small files go that are needed for a moment, or for as long as the machine runs. */
import type { Doors, Files } from "./doors.ts";

/**
 * `TMPDIR` while it is a folder, else `/tmp`: a batch job's own goes with the job, and a watcher or a tmux server that it
 * started lives on.
 */
export function tempDir({
	files,
	proc,
}: {
	readonly files: Pick<Files, "stat">;
	readonly proc: Pick<Doors["proc"], "env">;
}): string {
	return firstFolder(files, [proc.env.TMPDIR]);
}

/** The first of these that is an absolute path of a folder; `/tmp` where none is. */
export function firstFolder(
	files: Pick<Files, "stat">,
	asked: readonly (string | undefined)[],
): string {
	const isFolder = (path: string | undefined) => {
		if (!path?.startsWith("/")) return false;
		const found = files.stat(path);
		return found.kind === "ok" && found.stat.kind === "dir";
	};
	return asked.find(isFolder) ?? "/tmp";
}
