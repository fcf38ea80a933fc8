/** The newest emits, and the comments in them that the bot could react to (contract 02 §13). */
import { sectionLines } from "../../_emit/sections.ts";
import {
	archivePath,
	epochOfArchive,
	listArchives,
} from "../../_state/emit-archive.ts";
import { type CommentBlock, parseBlocks } from "../../_state/emit-blocks.ts";
import { mtimeOf } from "../../_state/peek.ts";
import type { Doors } from "../../_sys/doors.ts";

export interface RecentEmit {
	readonly ageSeconds: number;
	readonly comments: readonly CommentBlock[];
}

/** Picked by name: a stat of each of 17,000 files took minutes on a network disk. Null: could not look. */
export function recentEmits(
	{ files, clock }: Pick<Doors, "files" | "clock">,
	stateDir: string,
	{ most, maxAgeSeconds }: { most: number; maxAgeSeconds: number },
): readonly RecentEmit[] | null {
	const names = listArchives(files, stateDir);
	if (names === null) return null;
	const now = clock.now();
	return names.slice(-most).flatMap((name) => {
		const path = archivePath(stateDir, name);
		const at = epochOfArchive(name) ?? mtimeOf(files, path);
		const ageSeconds = at === null ? null : Math.max(0, now - at);
		if (ageSeconds === null || ageSeconds > maxAgeSeconds) return [];
		const read = files.read(path);
		return read.kind === "ok"
			? [{ ageSeconds, comments: auditedComments(read.text) }]
			: [];
	});
}

/** Pure. Where the bot is not installed it cannot react, and could only look stale. */
export function auditedComments(body: string): readonly CommentBlock[] {
	return parseBlocks(sectionLines(body, "gh").join("\n")).flatMap((block) =>
		block.kind === "comment" &&
		(block.shape === "issue" || block.shape === "mention")
			? [block]
			: [],
	);
}
