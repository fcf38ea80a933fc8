/** Reports that were archived while nobody listened (contract 01 §19.4). */
import { archivePath, listArchives } from "../../_state/emit-archive.ts";
import type { Files } from "../../_sys/doors.ts";

export interface MissedDiff {
	readonly name: string;
	readonly text: string;
}

/**
 * Archives newer than the last ack (all, when there is none) and no younger than `untilMs`, by name; null = could not
 * look. What is written while we read belongs to the next call, so that no report falls between listing and ack.
 */
export function missedDiffs(
	files: Files,
	stateDir: string,
	ackMs: number | null,
	untilMs: number,
): readonly MissedDiff[] | null {
	const names = listArchives(files, stateDir);
	if (names === null) return null;
	return names.flatMap((name) => {
		const path = archivePath(stateDir, name);
		const found = files.stat(path);
		if (found.kind !== "ok") return [];
		const { mtimeMs } = found.stat;
		if (mtimeMs > untilMs || (ackMs !== null && mtimeMs <= ackMs)) return [];
		const read = files.read(path);
		const text = read.kind === "ok" ? read.text : "(could not be read)";
		return [{ name, text }];
	});
}

/** As printed: `>>> <basename>`, the content, a blank line. */
export function renderDiff(diff: MissedDiff): string {
	return `>>> ${diff.name}\n${diff.text.replace(/\n$/, "")}\n\n`;
}
