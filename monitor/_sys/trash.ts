/**
 * Moving aside instead of deleting (contract 06 §11.3): what is moved can be put back when its successor
 * does not come, and a program that still runs from it keeps its files.
 */
import { basename, join } from "node:path";
import type { Files, Random } from "./doors.ts";

type TrashDoors = {
	readonly files: Pick<Files, "mkdir" | "rename" | "lstat">;
	readonly random: Pick<Random, "hex">;
};

/**
 * Renames `path` into the first of `trashDirs` that takes it, which one on another filesystem does not.
 * Where it lies now; null when no folder took it.
 */
export function trashPath(
	{ files, random }: TrashDoors,
	path: string,
	trashDirs: readonly string[],
): string | null {
	for (const dir of trashDirs) {
		if (files.mkdir(dir, 0o700).kind !== "ok") continue;
		const kept = join(dir, `${basename(path)}.${random.hex(8)}`);
		if (files.rename(path, kept).kind === "ok") return kept;
	}
	return null;
}

/** Puts `kept` back at `path`. What stands there, maybe half written, is moved aside first; false when `kept` stays in the trash. */
export function restoreTrashed(
	doors: TrashDoors,
	kept: string,
	path: string,
	trashDirs: readonly string[],
): boolean {
	const { files } = doors;
	// A relative link dangles while it lies in the trash, so its target proves nothing.
	if (files.lstat(kept).kind !== "ok") return false;
	const isTaken = files.lstat(path).kind !== "absent";
	if (isTaken && trashPath(doors, path, trashDirs) === null) return false;
	return files.rename(kept, path).kind === "ok";
}
