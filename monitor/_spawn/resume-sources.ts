/** Where the fleet remembers a window's session and folder (contract 08 §8.6). Reads only. */
import { basename, join } from "node:path";
import { ccHomes } from "../_delivery/transcript.ts";
import { type ActionEvent, readActionLog } from "../_state/action-log.ts";
import { fieldOf, splitFrontmatter } from "../_state/frontmatter.ts";
import { readHeartbeat } from "../_state/heartbeat.ts";
import { isSessionId } from "../_state/orchestrator-session-id.ts";
import { mtimeOf } from "../_state/peek.ts";
import { listReports, reportsDirOf } from "../_state/report-corpus.ts";
import { readSpawnPrompt } from "../_state/spawn-prompt.ts";
import { workdirOfPrompt } from "./compose.ts";
import type { SpawnContext } from "./context.ts";
import type { SessionSource } from "./resume-session.ts";

/** What was written down of one window. */
export interface WindowRecords {
	readonly window: string;
	/** Newest of its kind; a close of an earlier life of the name is none. */
	readonly spawn: ActionEvent | null;
	readonly close: ActionEvent | null;
	/** When this life of the name began, epoch seconds; null when unknown. */
	readonly bornAt: number | null;
}

export function readRecords(
	{ doors, home }: SpawnContext,
	window: string,
): WindowRecords {
	const log = readActionLog(doors, home.stateDir, ["window-close", "spawn"]);
	const own = (log ?? []).filter((e) => e.window === window).toReversed();
	const newest = (event: string) => own.find((e) => e.event === event) ?? null;
	const birth = own.find(
		(e) => e.event === "spawn" && e.field("mode") !== "resume",
	);
	const bornAt = birth?.at ?? null;
	const close = newest("window-close");
	const isOld = bornAt !== null && (close?.at ?? bornAt) < bornAt;
	return {
		...{ window, bornAt, spawn: newest("spawn") },
		close: isOld ? null : close,
	};
}

/** Folders in order of trust; which of them is there, the caller looks. */
export function workdirSources(
	{ doors, home }: SpawnContext,
	records: WindowRecords,
	panePid: number | null,
): readonly string[] {
	const { proc, files } = doors;
	const inPane = panePid === null ? null : proc.cwd(panePid);
	const prompt = readSpawnPrompt(files, home.stateDir, records.window);
	return [
		inPane?.kind === "ok" ? inPane.value : null,
		records.close?.field("workdir") ?? null,
		records.spawn?.field("workdir") ?? null,
		prompt === null ? null : workdirOfPrompt(prompt),
	].filter((dir) => dir !== null);
}

export function sessionSources(
	ctx: SpawnContext,
	records: WindowRecords,
	workdir: string,
	isCoordinator: boolean,
): readonly SessionSource[] {
	const { doors, home } = ctx;
	const beat = readHeartbeat(doors.files, home.stateDir, records.window);
	const named = (name: string, sessionId: string | null | undefined) => ({
		name,
		sessionId: sessionId ?? null,
	});
	return [
		named("the newest report", reportedSession(ctx, records)),
		named("the newest window-close", records.close?.field("session-id")),
		named("the heartbeat", beat?.sessionId),
		named("the newest spawn", records.spawn?.field("session-id")),
		named(
			"the folder's only transcript",
			onlyTranscript(ctx, workdir, isCoordinator),
		),
	];
}

/** Claude Code's name for a folder among its projects. */
export function projectSlug(folder: string): string {
	return folder.replace(/[^A-Za-z0-9]/g, "-");
}

/** Fields stand at the head of a report. */
const HEAD_BYTES = 4096;

/** Of the newest report of this life whose `window` is this one and whose session id is one. */
function reportedSession(
	{ doors, home }: SpawnContext,
	{ window, bornAt }: WindowRecords,
): string | null {
	const { files } = doors;
	for (const { path } of listReports(files, reportsDirOf(home.root)) ?? []) {
		const read = files.readFrom(path, 0, HEAD_BYTES);
		if (read.kind !== "ok") continue;
		const matter = splitFrontmatter(read.text);
		const sessionId = fieldOf(matter, "session-id").trim();
		if (fieldOf(matter, "window").trim() !== window || !isSessionId(sessionId))
			continue;
		const writtenAt = mtimeOf(files, path);
		if (bornAt === null || (writtenAt ?? bornAt) >= bornAt) return sessionId;
	}
	return null;
}

/**
 * Of two transcripts in a folder neither is anybody's: being the newest is no identity. In the root's own folder lives
 * the orchestrator.
 */
function onlyTranscript(
	{ doors, home }: SpawnContext,
	workdir: string,
	isCoordinator: boolean,
): string | null {
	const { files, proc } = doors;
	const slugOf = (dir: string) => projectSlug(files.realpath(dir) ?? dir);
	const slug = slugOf(workdir);
	if (!isCoordinator && slug === slugOf(home.root)) return null;
	const found = ccHomes(proc.env).flatMap((cc) => {
		const listed = files.list(join(cc, "projects", slug));
		return listed.kind === "ok"
			? listed.names.filter((name) => name.endsWith(".jsonl"))
			: [];
	});
	const [only, second] = new Set(found);
	return only === undefined || second !== undefined
		? null
		: basename(only, ".jsonl");
}
