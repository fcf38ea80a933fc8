/** A symlink in the place of a file that is to be published. */
import { dirname } from "node:path";
import type { Settings } from "../_state/settings.ts";
import type { Files } from "../_sys/doors.ts";

/**
 * Why `path` may not be read, or null. A symlink is followed within its own folder and within the nexus root: one that
 * leads elsewhere could publish a key under a report's name.
 */
export function linkFlaw(
	files: Pick<Files, "lstat" | "realpath">,
	path: string,
	{ home }: Pick<Settings, "home">,
): string | null {
	const found = files.lstat(path);
	if (found.kind !== "ok" || found.stat.kind !== "symlink") return null;
	const real = files.realpath(path);
	if (real === null) return "a symlink that leads nowhere";
	const trees = [dirname(path), home.root].map(
		(dir) => files.realpath(dir) ?? dir,
	);
	return trees.some((tree) => real.startsWith(`${tree}/`))
		? null
		: `a symlink that leads out of its folder, to ${real}`;
}
