/**
 * `unacked-mentions.lines`: comments of other repositories that nobody has answered (contract 01 §8.2).
 * They arrive once, so this is what keeps one whose paste failed. A line of tokens an entry, then its block.
 */
import { join } from "node:path";
import type { Locks } from "../_sys/doors.ts";
import { type StateDoors, setAside } from "./damaged.ts";
import { type CommentBlock, parseBlocks, renderBlock } from "./emit-blocks.ts";
import { digits } from "./kv.ts";
import { writeRows } from "./rows-file.ts";

/** Times are epoch seconds. */
export interface UnackedMention {
	readonly id: string;
	readonly repo: string;
	readonly firstSeen: number;
	/** `slow`: somebody has put eyes on it. */
	readonly tier: "fast" | "slow";
	/** 0 = never. */
	readonly lastReemit: number;
	/** Written by the operator; what others wrote is kept as context, and never told. */
	readonly direct: boolean;
	/** When GitHub was last asked for its reactions. */
	readonly lastRecheck: number | null;
	readonly block: CommentBlock;
}

const LOCK_WAIT_MS = 5_000;

function unackedMentionsPath(stateDir: string): string {
	return join(stateDir, "unacked-mentions.lines");
}

function unackedMentionsLockPath(stateDir: string): string {
	return join(stateDir, "unacked-mentions.lock");
}

/** An entry that does not parse costs only itself. */
export function parseUnackedMentions(text: string): readonly UnackedMention[] {
	return text.split(/^(?=# meta )/m).flatMap((part) => {
		const end = part.indexOf("\n");
		const meta = end < 0 ? part : part.slice(0, end);
		const block = end < 0 ? undefined : parseBlocks(part.slice(end + 1))[0];
		const entry = block?.kind === "comment" ? entryOf(meta, block) : null;
		return entry === null ? [] : [entry];
	});
}

/** Its line of tokens and its block, each with its newline; epoch seconds. */
export function renderUnackedMention(entry: UnackedMention): string {
	const tokens = [
		`id=${entry.id}`,
		`repo=${entry.repo}`,
		`first_seen=${entry.firstSeen}`,
		`tier=${entry.tier}`,
		`last_reemit=${entry.lastReemit}`,
		`direct=${entry.direct ? "yes" : "no"}`,
		...(entry.lastRecheck === null
			? []
			: [`last_recheck=${entry.lastRecheck}`]),
	];
	return `# meta ${tokens.join(" ")}\n${renderBlock(entry.block)}`;
}

/** Null: could not look, and nothing may be overwritten. A file without one good entry is damaged. */
export function readUnackedMentions(
	doors: StateDoors,
	stateDir: string,
): readonly UnackedMention[] | null {
	const path = unackedMentionsPath(stateDir);
	const read = doors.files.read(path);
	if (read.kind === "absent") return [];
	if (read.kind === "unreadable") return null;
	const entries = parseUnackedMentions(read.text);
	if (entries.length === 0)
		setAside(doors, stateDir, path, "not of its format");
	return entries;
}

/** Replaces the entries by `next(entries)` under their lock; after 5 s it goes on without, for one watcher writes here. */
export async function updateUnackedMentions(
	doors: StateDoors & { readonly locks: Locks },
	stateDir: string,
	next: (entries: readonly UnackedMention[]) => readonly UnackedMention[],
): Promise<void> {
	const lock = await doors.locks.acquireWithin(
		unackedMentionsLockPath(stateDir),
		LOCK_WAIT_MS,
	);
	try {
		const entries = readUnackedMentions(doors, stateDir);
		if (entries === null) return;
		const lines = next(entries).map((e) =>
			renderUnackedMention(e).replace(/\n$/, ""),
		);
		const path = unackedMentionsPath(stateDir);
		const written = writeRows(doors.files, path, lines);
		if (written.kind === "failed")
			doors.log.warn(`${path} could not be written: ${written.reason}`);
	} finally {
		if (lock.kind === "acquired") lock.lock.release();
	}
}

function entryOf(meta: string, block: CommentBlock): UnackedMention | null {
	const token = (name: string) =>
		new RegExp(`(?:^| )${name}=(\\S+)`).exec(meta)?.[1];
	const id = token("id");
	const repo = token("repo");
	const firstSeen = digits(token("first_seen"));
	if (!meta.startsWith("# meta ") || !id || !repo || firstSeen === null)
		return null;
	return {
		id,
		repo,
		firstSeen,
		tier: token("tier") === "slow" ? "slow" : "fast",
		lastReemit: digits(token("last_reemit")) ?? 0,
		direct: token("direct") === "yes",
		lastRecheck: digits(token("last_recheck")),
		block,
	};
}
