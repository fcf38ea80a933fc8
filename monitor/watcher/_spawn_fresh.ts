/** Replaces an orchestrator that is wedged, and tells the new one how things stand (contract 04 §15). */
import { basename } from "node:path";
import { unreadReports, unreadRows } from "../_delivery/unread-reports.ts";
import { appendEvent } from "../_state/action-log-append.ts";
import type { Home } from "../_state/home.ts";
import { lastSnapshotPath } from "../_state/last-snapshot.ts";
import {
	freshSpawnReportPath,
	stampFreshSpawn,
	writeFreshSpawnReport,
} from "../_state/orchestrator-fresh-spawn.ts";
import { mtimeOf } from "../_state/peek.ts";
import { listReports, reportsDirOf } from "../_state/report-corpus.ts";
import type { Doors } from "../_sys/doors.ts";
import { renderSituation } from "./_spawn_fresh/report.ts";

/** A way to start, and what it takes to replace the orchestrator: joined where the tasks are, because no duty knows another. */
export type FreshMode =
	| { readonly kind: "fresh" }
	| { readonly kind: "resume"; readonly sessionId: string };

export interface FreshSpawnParts {
	readonly doors: Doors;
	readonly home: Home;
	/** The configured window. */
	readonly configuredTarget: string;
	readonly armCommand: string;
	readonly chooseMode: () => FreshMode;
	/** Replaces what runs. */
	readonly respawn: (
		target: string,
		mode: FreshMode,
		promptFile: string,
	) => Promise<{
		readonly rc: number;
		readonly why: string;
		readonly windowId: string | null;
	}>;
}
export interface FreshSpawnRequest {
	readonly target: string;
	readonly reason: string;
	readonly previousSid: string;
	/** `--fresh`: without the old context. */
	readonly fresh: boolean;
}

/** 0 done · 1 it could not begin · 2 no tmux · 3 no window · 4 brief not delivered · 5 ended, or kept from it, before anything was touched. */
export async function spawnFresh(
	parts: FreshSpawnParts,
	request: FreshSpawnRequest,
): Promise<number> {
	const { doors, home } = parts;
	const { files, clock, log } = doors;
	const { stateDir } = home;
	const { target, reason, previousSid } = request;
	const mode = chooseMode(parts, request);
	const path = freshSpawnReportPath(stateDir);
	const text = await situation(parts, request, mode);
	const wrote = writeFreshSpawnReport(files, stateDir, text);
	if (wrote.kind === "failed") {
		log.warn(`${path} cannot be written: ${wrote.reason}`);
		stampFreshSpawn(files, stateDir, clock.now());
		return 1;
	}
	const { rc, why, windowId } = await parts.respawn(target, mode, path);
	if (rc !== 0) log.warn(`replacement of '${target}': ${why}`);
	// Whatever came of it: the pause before the next one begins now.
	stampFreshSpawn(files, stateDir, clock.now());
	const line = `event=orchestrator-fresh-spawn ts=${clock.now()} mode=${mode.kind} reason=${JSON.stringify(reason)} previous_sid=${previousSid} new_window=${windowId ?? ""} paste_rc=${rc} report=${path}`;
	log.info(line);
	appendEvent(doors, stateDir, {
		agent: "watcher",
		event: "orchestrator-fresh-spawn",
		note: reason,
		extras: [
			["mode", mode.kind],
			["previous-sid", previousSid],
			["rc", String(rc)],
		],
	});
	return rc;
}

/** A session must not wake in a window that is not its own: there the watcher would not find it. */
function chooseMode(
	{ doors, configuredTarget, chooseMode }: FreshSpawnParts,
	{ target, fresh }: FreshSpawnRequest,
): FreshMode {
	if (fresh) return { kind: "fresh" };
	const mode = chooseMode();
	if (mode.kind === "fresh" || target === configuredTarget) return mode;
	doors.log.warn(
		`REFUSED to resume ${mode.sessionId} in window '${target}': the orchestrator's window is '${configuredTarget}'; a fresh session is started instead`,
	);
	return { kind: "fresh" };
}

/** Windows that hold no worker, besides the target. */
const NO_WORKERS = new Set(["watcher", "orchestrator", "claude", "monitor"]);
const SNAPSHOT_BYTES = 1200;
const TOP_REPORTS = 5;

async function situation(
	{ doors, home, armCommand }: FreshSpawnParts,
	{ target, reason, previousSid }: FreshSpawnRequest,
	mode: FreshMode,
): Promise<string> {
	const { files, clock, tmux } = doors;
	const panes = await tmux.panes();
	const windows =
		panes.kind === "ok"
			? [...new Set(panes.rows.map((row) => row.windowName))]
			: null;
	const reports = newestFirst(doors, home.root);
	const snapshot = files.read(lastSnapshotPath(home.stateDir));
	return renderSituation({
		resumed: mode.kind === "resume" ? mode.sessionId : null,
		spawnedAt: clock.iso(),
		reason,
		previousSid,
		root: home.root,
		windows,
		armCommand,
		unread:
			previousSid === ""
				? []
				: unreadRows(unreadReports(doors, home.stateDir, [previousSid])),
		workers: (windows ?? [])
			.filter((window) => window !== target && !NO_WORKERS.has(window))
			.map((window) => ({
				window,
				report: reports.find((p) => basename(p).includes(window)) ?? null,
			})),
		reports: reports.slice(0, TOP_REPORTS),
		snapshot:
			snapshot.kind === "ok"
				? snapshot.text.slice(0, SNAPSHOT_BYTES)
				: "(none)",
	});
}

function newestFirst(
	{ files }: Pick<Doors, "files">,
	root: string,
): readonly string[] {
	const dated = (listReports(files, reportsDirOf(root)) ?? []).map(
		({ path }) => ({ path, at: mtimeOf(files, path) ?? 0 }),
	);
	return dated.sort((a, b) => b.at - a.at).map(({ path }) => path);
}
