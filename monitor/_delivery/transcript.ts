/** The target session's transcript: found by session id, read past a mark (contract 04 §5.2). */
import { join } from "node:path";
import { parseJson } from "../_state/json-object.ts";
import { isSessionId } from "../_state/orchestrator-session-id.ts";
import type { Files } from "../_sys/doors.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What one look at the transcript gave. */
export interface TranscriptSight {
	/** `none`: there is no session id to look for. `unreadable`: could not look, now or at the mark. */
	readonly source: "none" | "absent" | "unreadable" | "readable";
	/** Something was appended since the mark. */
	readonly grew: boolean;
	/** Whole records past the mark; torn lines never are. */
	readonly records: readonly unknown[];
}
export type TranscriptWatch = () => TranscriptSight;

const NO_SESSION: TranscriptSight = {
	source: "none",
	grew: false,
	records: [],
};

/** Claude Code's config folders, in the order in which they are asked. */
export function ccHomes(env: Env): readonly string[] {
	if (env.NEXUS_CC_HOME) return [env.NEXUS_CC_HOME];
	const homes = [
		env.CLAUDE_CONFIG_DIR ?? "",
		env.HOME ? join(env.HOME, ".claude") : "",
	];
	return [...new Set(homes)].filter((home) => home !== "");
}

/** Claude Code's name for a folder among its projects. */
export function projectSlug(folder: string): string {
	return folder.replace(/[^A-Za-z0-9]/g, "-");
}

/**
 * Every `<home>/projects/*\/<session id>.jsonl`, never a guessed folder name; null when a folder could not be listed, or
 * none was found and one could not be looked into. A session resumed elsewhere has more than one.
 */
export function transcriptsOf(
	files: Files,
	homes: readonly string[],
	sessionId: string,
): readonly string[] | null {
	const found: string[] = [];
	let isBlind = false;
	for (const home of homes) {
		const projects = join(home, "projects");
		const listed = files.list(projects);
		if (listed.kind === "unreadable") return null;
		if (listed.kind === "absent") continue;
		for (const name of listed.names) {
			const path = join(projects, name, `${sessionId}.jsonl`);
			const { kind } = files.stat(path);
			if (kind === "ok") found.push(path);
			// Another user's folder does not hide one that is found.
			isBlind ||= kind === "unreadable";
		}
	}
	return isBlind && found.length === 0 ? null : found;
}

/**
 * Marks where the transcript ends now; the returned function tells what came after. A session that
 * has said nothing yet has no file: it is looked for again, and read from its start.
 */
export function watchTranscript(
	files: Files,
	env: Env,
	sessionId: string | null,
): TranscriptWatch {
	if (sessionId === null || !isSessionId(sessionId)) return () => NO_SESSION;
	const homes = ccHomes(env);
	const atMark = transcriptsOf(files, homes, sessionId);
	if (atMark === null)
		return () => ({ source: "unreadable", grew: false, records: [] });
	const marks = new Map(atMark.map((path) => [path, markOf(files, path)]));
	const read = new Map<string, PastMark>();
	return () => {
		const paths =
			marks.size > 0
				? [...marks.keys()]
				: transcriptsOf(files, homes, sessionId);
		if (paths === null)
			return { source: "unreadable", grew: false, records: [] };
		const pasts = paths.map((path) => {
			const past = readPast(
				files,
				path,
				marks.get(path) ?? START,
				read.get(path),
			);
			read.set(path, past);
			return past;
		});
		return summary(pasts);
	};
}

interface Mark {
	/** Null: could not be measured. */
	readonly size: number | null;
	/** Null: born after the mark. */
	readonly inode: number | null;
}
const START: Mark = { size: 0, inode: null };

interface PastMark {
	readonly size: number | null;
	readonly grew: boolean;
	readonly records: readonly unknown[];
}

function markOf(files: Files, path: string): Mark {
	const found = files.stat(path);
	return found.kind === "ok"
		? { size: found.stat.size, inode: found.stat.ino }
		: { size: null, inode: null };
}

/** A file that shrank or was replaced is another one: what it holds may be older than the mark. */
function readPast(
	files: Files,
	path: string,
	mark: Mark,
	before: PastMark | undefined,
): PastMark {
	const now = markOf(files, path);
	const replaced = mark.inode !== null && now.inode !== mark.inode;
	if (
		mark.size === null ||
		now.size === null ||
		now.size < mark.size ||
		replaced
	)
		return { size: null, grew: false, records: [] };
	if (now.size === before?.size) return before;
	const read = files.readFrom(path, mark.size);
	if (read.kind !== "ok") return { size: null, grew: false, records: [] };
	const grew = now.size > mark.size;
	return { size: now.size, grew, records: wholeRecords(read.text) };
}

function summary(pasts: readonly PastMark[]): TranscriptSight {
	const readable = pasts.filter((past) => past.size !== null);
	const source =
		pasts.length === 0
			? "absent"
			: readable.length > 0
				? "readable"
				: "unreadable";
	return {
		source,
		grew: readable.some((past) => past.grew),
		records: readable.flatMap((past) => past.records),
	};
}

function wholeRecords(text: string): unknown[] {
	return text
		.split("\n")
		.filter((line) => /^\{.*\}$/.test(line))
		.map(parseJson)
		.filter((record) => record !== undefined);
}
