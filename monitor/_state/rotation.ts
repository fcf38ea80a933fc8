/** Rotated logs, `<file>.<epoch>` (contract 01 §13). */
import { basename, dirname, join } from "node:path";
import type { Clock, EverydayFiles, Log } from "../_sys/doors.ts";

export interface RotatedLog {
	readonly path: string;
	/** 0 = never rotated. */
	readonly maxBytes: number;
	/** `copy`: the writer holds the inode open, so the file is copied, then emptied in place. */
	readonly how: "rename" | "copy";
}
type Doors = {
	readonly files: EverydayFiles;
	readonly clock: Pick<Clock, "now">;
	readonly log: Log;
};

/** Rotates a log that has reached its limit. */
export function rotate(
	doors: Doors,
	{ path, maxBytes, how }: RotatedLog,
): void {
	const { files, clock, log } = doors;
	const found = files.lstat(path);
	if (maxBytes <= 0 || found.kind !== "ok" || found.stat.kind !== "file")
		return;
	if (found.stat.size < maxBytes) return;
	const aside = `${path}.${clock.now()}`;
	const kept =
		how === "rename" ? files.rename(path, aside) : files.copy(path, aside);
	if (kept.kind === "failed")
		log.warn(`${path} could not be rotated: ${kept.reason}`);
	// Emptied only when the copy stands.
	else if (how === "copy") files.truncate(path);
}

/** Deletes the rotations of a log that are older than the retention; 0 days or less keeps all. */
export function dropOldRotations(
	{ files, clock }: Doors,
	{ path }: RotatedLog,
	retentionDays: number,
): void {
	const listed = files.list(dirname(path));
	if (listed.kind !== "ok" || retentionDays <= 0) return;
	const oldest = clock.now() - retentionDays * 86_400;
	for (const name of oldRotations(listed.names, basename(path), oldest))
		files.remove(join(dirname(path), name));
}

/** Pure: names `<base>.<epoch>` from before `oldest`. */
export function oldRotations(
	names: readonly string[],
	base: string,
	oldest: number,
): readonly string[] {
	return rotationsOf(names, base).filter(
		(name) => epochOf(name, base) < oldest,
	);
}

/** Pure: the rotations of a log, oldest first. */
export function rotationsOf(
	names: readonly string[],
	base: string,
): readonly string[] {
	return names
		.filter(
			(name) =>
				name.startsWith(`${base}.`) &&
				/^\d{9,11}$/.test(name.slice(base.length + 1)),
		)
		.sort((a, b) => epochOf(a, base) - epochOf(b, base));
}

function epochOf(name: string, base: string): number {
	return Number(name.slice(base.length + 1));
}
