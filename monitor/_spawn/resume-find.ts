/** From a window's name or a session id to what can be resumed, or why nothing can (contract 08 §8.6). Reads only. */
import { basename, dirname, resolve } from "node:path";
import {
	ccHomes,
	projectSlug,
	transcriptsOf,
} from "../_delivery/transcript.ts";
import { readHeartbeat } from "../_state/heartbeat.ts";
import { isSessionId, readPin } from "../_state/orchestrator-session-id.ts";
import { pendingToolPath } from "../_state/pending-tool.ts";
import type { PaneRow } from "../_sys/doors.ts";
import { validateWindowName } from "../_sys/tmux-lookup.ts";
import type { Refusal, ResumeRequest } from "./args.ts";
import { type SpawnContext, warn } from "./context.ts";
import { decideNudge, type Nudge } from "./nudge.ts";
import { refused } from "./plan.ts";
import {
	isForbidden,
	resolveSession,
	type SessionGuard,
} from "./resume-session.ts";
import {
	readRecords,
	sessionSources,
	type WindowRecords,
	workdirSources,
} from "./resume-sources.ts";

export interface Resumable {
	readonly kind: "resumable";
	/** The window that shall show it. */
	readonly window: string;
	readonly sessionId: string;
	/** Absolute. */
	readonly workdir: string;
	/** Path of the transcript. */
	readonly jsonl: string;
	/** Null: claude's own default. */
	readonly model: string | null;
	readonly nudge: Nudge;
}

/** A refusal says which piece is missing: the folder, the session or its transcript. */
export function findResumable(
	req: ResumeRequest,
	ctx: SpawnContext,
	rows: readonly PaneRow[],
): Resumable | Refusal {
	const { doors, home, settings } = ctx;
	const window = req.window ?? req.target;
	const badName = validateWindowName(window);
	if (badName !== null) return refused(16, badName);
	const guard: SessionGuard = {
		pinned: readPin(doors.files, home.stateDir),
		isCoordinator: window === settings.targetWindow,
	};
	const records = readRecords(
		ctx,
		isSessionId(req.target) ? window : req.target,
	);
	const workdir = findWorkdir(req, ctx, records, rows);
	if (workdir === null)
		return refused(
			12,
			`the folder of ${req.target} is not known any more: name it with -c`,
		);
	const session = findSession(req, ctx, records, workdir, guard);
	if (typeof session !== "string") return session;
	const jsonl = findTranscript(ctx, session, workdir);
	if (typeof jsonl !== "string") return jsonl;
	const nudge = nudgeFor(req, ctx, records.window);
	const model = req.model ?? records.newest("spawn", "model");
	return {
		kind: "resumable",
		window,
		sessionId: session,
		workdir,
		jsonl,
		model,
		nudge,
	};
}

function findWorkdir(
	req: ResumeRequest,
	ctx: SpawnContext,
	records: WindowRecords,
	rows: readonly PaneRow[],
): string | null {
	const live = rows.find(
		(row) => row.windowName === records.window && row.paneDead === "0",
	);
	const candidates =
		req.workdir === null
			? workdirSources(ctx, records, live?.panePid ?? null)
			: [req.workdir];
	const isFolder = (path: string) => {
		const found = ctx.doors.files.stat(path);
		return found.kind === "ok" && found.stat.kind === "dir";
	};
	return candidates.map((dir) => resolve(ctx.cwd, dir)).find(isFolder) ?? null;
}

function findSession(
	req: ResumeRequest,
	ctx: SpawnContext,
	records: WindowRecords,
	workdir: string,
	guard: SessionGuard,
): string | Refusal {
	if (isSessionId(req.target))
		return isForbidden(req.target, guard)
			? refused(
					14,
					`${req.target} is the orchestrator's own session; it belongs into window ${ctx.settings.targetWindow}`,
				)
			: req.target;
	const sources = sessionSources(ctx, records, workdir, guard.isCoordinator);
	const { sessionId, notes } = resolveSession(sources, guard);
	for (const note of notes) warn(ctx, note);
	return (
		sessionId ??
		refused(
			11,
			`no session of window ${req.target} is known: name its id, and the window with -n`,
		)
	);
}

function findTranscript(
	ctx: SpawnContext,
	sessionId: string,
	workdir: string,
): string | Refusal {
	const { files, proc } = ctx.doors;
	const found = transcriptsOf(files, ccHomes(proc.env), sessionId);
	if (found === null)
		return refused(11, `could not look for the transcript of ${sessionId}`);
	const slug = projectSlug(files.realpath(workdir) ?? workdir);
	const here = found.find((path) => basename(dirname(path)) === slug);
	const [elsewhere] = found;
	if (here !== undefined) return here;
	if (elsewhere === undefined)
		return refused(11, `session ${sessionId} has no transcript`);
	warn(ctx, `session ${sessionId} began in another folder: ${elsewhere}`);
	return elsewhere;
}

function nudgeFor(
	req: ResumeRequest,
	{ doors, home }: SpawnContext,
	window: string,
): Nudge {
	const { files } = doors;
	const beat = readHeartbeat(files, home.stateDir, window);
	const pending = pendingToolPath(home.stateDir, window);
	const isPending = pending !== null && files.stat(pending).kind === "ok";
	return decideNudge(req.nudge, beat?.state ?? null, isPending);
}
