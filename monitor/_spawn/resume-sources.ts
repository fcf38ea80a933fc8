/** Where the fleet remembers a window's session and folder (contract 08 §8.6). Reads only. */
import { basename, join } from "node:path";
import { ccHomes, projectSlug } from "../_delivery/transcript.ts";
import { readActionLog } from "../_state/action-log.ts";
import { fieldOf, splitFrontmatter } from "../_state/frontmatter.ts";
import { readHeartbeat } from "../_state/heartbeat.ts";
import { isSessionId } from "../_state/orchestrator-session-id.ts";
import { mtimeOf } from "../_state/peek.ts";
import { listReports, reportsDirOf } from "../_state/report-corpus.ts";
import { readSpawnPrompt } from "../_state/spawn-prompt.ts";
import { workdirOfPrompt } from "./compose.ts";
import type { SpawnContext } from "./context.ts";
import type { SessionSource } from "./resume-session.ts";

/** What the action log says of one window in its present life: a name may have been another worker's before. */
export interface WindowRecords {
	readonly window: string;
	/** When this life began, epoch seconds; null when unknown. */
	readonly bornAt: number | null;
	/** Value of the newest such event that has the field; null without one. */
	readonly newest: (
		event: "spawn" | "window-close",
		field: string,
	) => string | null;
}

/** Of the window's present life: what was logged before its last fresh start is somebody else's. */
export function readRecords(
	{ doors, home }: SpawnContext,
	window: string,
): WindowRecords {
	const log = readActionLog(doors, home.stateDir, ["window-close", "spawn"]);
	const own = (log ?? []).filter((e) => e.window === window).toReversed();
	const bornAt =
		own.find((e) => e.event === "spawn" && e.field("mode") !== "resume")?.at ??
		null;
	const ofThisLife = own.filter(
		(e) => bornAt === null || (e.at ?? bornAt) >= bornAt,
	);
	return {
		window,
		bornAt,
		newest: (event, field) =>
			ofThisLife
				.filter((e) => e.event === event)
				.map((e) => e.field(field))
				.find((value) => value !== null) ?? null,
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
		records.newest("window-close", "workdir"),
		records.newest("spawn", "workdir"),
		prompt === null ? null : workdirOfPrompt(prompt),
	].filter((dir) => dir !== null);
}

/** In order of trust; null where a source names none. */
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
		named(
			"the newest window-close",
			records.newest("window-close", "session-id"),
		),
		named("the heartbeat", beat?.sessionId),
		named("the newest spawn", records.newest("spawn", "session-id")),
		named(
			"the folder's only transcript",
			onlyTranscript(ctx, workdir, isCoordinator),
		),
	];
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
