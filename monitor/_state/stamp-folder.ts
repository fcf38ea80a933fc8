/** A folder with a small file a stamp: what damps comments and alerts (contract 02 §10). Forgetting one only repeats what it damped. */
import { dirname, join } from "node:path";
import type { Files } from "../_sys/doors.ts";

export interface StampFolder {
	readonly dir: string;
	/** Whether a name is that of a stamp, or of one that was set aside. */
	readonly isStamp: (name: string) => boolean;
}

/** Removes the stamps that were last written before `oldest`, epoch seconds. */
export function pruneStamps(
	files: Files,
	{ dir, isStamp }: StampFolder,
	oldest: number,
): void {
	const listed = files.list(dir);
	if (listed.kind !== "ok") return;
	for (const name of listed.names.filter(isStamp)) {
		const found = files.lstat(join(dir, name));
		if (found.kind === "ok" && found.stat.mtimeMs / 1000 < oldest)
			files.remove(join(dir, name));
	}
}

/** Makes the folder. Best effort: a stamp that cannot be written only repeats what it would have damped. */
export function writeStamp(files: Files, path: string, text: string): void {
	files.mkdir(dirname(path));
	files.writeAtomic(path, text);
}
