/** Can something be made at a path that need not exist yet (contract 08 §8.8)? */
import { dirname, resolve } from "node:path";
import type { Files, WriteResult } from "./doors.ts";

type Lookers = Pick<Files, "stat" | "realpath" | "readlink">;

/** As many links in a row as the kernel follows. */
const MAX_LINKS = 40;

/** The path itself when it is a folder, else the nearest folder above it; links are followed, dangling ones too. `path` is absolute. */
export function nearestExistingDir(
	files: Lookers,
	path: string,
	links = MAX_LINKS,
): string {
	const real = files.realpath(path);
	if (real !== null) {
		const found = files.stat(real);
		const isDir = found.kind === "ok" && found.stat.kind === "dir";
		return isDir ? real : dirname(real);
	}
	const target = links > 0 ? files.readlink(path) : null;
	return target === null
		? nearestExistingDir(files, dirname(path), links)
		: nearestExistingDir(files, resolve(dirname(path), target), links - 1);
}

/** Makes and removes a file in that folder; nothing stays. */
export function probeWritable(
	files: Lookers & Pick<Files, "probeWritable">,
	path: string,
): WriteResult {
	return files.probeWritable(nearestExistingDir(files, path));
}
