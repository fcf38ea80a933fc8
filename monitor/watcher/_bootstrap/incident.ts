/** The report about a watcher that was found dead (contract 01 §19.3). */
import { join } from "node:path";
import { listArchives, newestArchive } from "../../_state/emit-archive.ts";
import type { Home } from "../../_state/home.ts";
import { mtimeOf } from "../../_state/peek.ts";
import {
	peekWatcherHeartbeat,
	watcherHeartbeatPath,
} from "../../_state/watcher-heartbeat.ts";
import { watcherLogPath } from "../../_state/watcher-log.ts";
import type { Doors, WriteResult } from "../../_sys/doors.ts";

const LOG_LINES = 40;
const LOG_BYTES = 64 * 1024;
const PANE_LINES = 80;

export interface Incident {
	readonly at: string;
	readonly reason: string;
	readonly heartbeat: {
		readonly mtime: string;
		readonly pid: string;
		readonly target: string;
	} | null;
	readonly lastArchive: string | null;
	readonly logTail: string;
	/** Of a window named `watcher`, when there is one. */
	readonly paneTail: string | null;
}

/** Pure. With the head of every report, so that the corpus knows its date. */
export function renderIncident(i: Incident): string {
	const beat = i.heartbeat;
	return [
		"---",
		"project: nexus",
		`date: ${i.at.slice(0, 10)}`,
		"trigger: watcher found dead by bootstrap",
		"status: completed",
		"---",
		"",
		"# watcher-incident",
		"",
		`The watcher was found dead at ${i.at} and started again: ${i.reason}`,
		"",
		"## What was seen",
		"",
		...(beat === null
			? ["- heartbeat: none"]
			: [`- heartbeat: ${beat.mtime}, pid ${beat.pid}, target ${beat.target}`]),
		`- last archived report: ${i.lastArchive ?? "none"}`,
		"",
		`## Last ${LOG_LINES} lines of the log`,
		"",
		...fenced(i.logTail),
		...(i.paneTail === null
			? []
			: [
					"",
					`## Last ${PANE_LINES} lines of window 'watcher'`,
					"",
					...fenced(i.paneTail),
				]),
		"",
	].join("\n");
}

/** Writes `reports/nexus_<date>_<time>_watcher-incident.md`; returns its path with the outcome. */
export async function fileIncident(
	doors: Pick<Doors, "files" | "clock" | "tmux">,
	home: Home,
	reason: string,
): Promise<{ readonly path: string; readonly written: WriteResult }> {
	const { files, clock } = doors;
	const at = clock.iso();
	const [date = "", time = ""] = at.slice(0, 19).split("T");
	const dir = join(home.root, "reports");
	files.mkdir(dir);
	const path = join(
		dir,
		`nexus_${date}_${time.replaceAll(":", "")}_watcher-incident.md`,
	);
	const text = renderIncident({
		at,
		reason,
		heartbeat: heartbeatOf(doors, home.stateDir),
		lastArchive: newestArchive(listArchives(files, home.stateDir) ?? []),
		logTail: logTailOf(doors, home.stateDir),
		paneTail: await paneTailOf(doors),
	});
	return { path, written: files.writeAtomic(path, text) };
}

function heartbeatOf(
	{ files, clock }: Pick<Doors, "files" | "clock">,
	stateDir: string,
): Incident["heartbeat"] {
	const at = mtimeOf(files, watcherHeartbeatPath(stateDir));
	if (at === null) return null;
	const beat = peekWatcherHeartbeat(files, stateDir);
	return {
		mtime: clock.iso(Math.floor(at)),
		pid: beat.kind === "ok" ? String(beat.value.pid) : "unknown",
		target: beat.kind === "ok" ? beat.value.target : "unknown",
	};
}

function logTailOf({ files }: Pick<Doors, "files">, stateDir: string): string {
	const path = watcherLogPath(stateDir);
	const found = files.stat(path);
	if (found.kind !== "ok") return "(no log)";
	const from = Math.max(0, found.stat.size - LOG_BYTES);
	const read = files.readFrom(path, from, LOG_BYTES);
	return read.kind === "ok" ? lastLines(read.text, LOG_LINES) : "(unreadable)";
}

async function paneTailOf({
	tmux,
}: Pick<Doors, "tmux">): Promise<string | null> {
	const panes = await tmux.panes();
	if (panes.kind !== "ok") return null;
	const row = panes.rows.find((r) => r.windowName === "watcher");
	if (row === undefined) return null;
	const captured = await tmux.capture(row.paneId, {
		escapes: false,
		history: PANE_LINES,
	});
	return captured.kind === "ok" ? lastLines(captured.stdout, PANE_LINES) : null;
}

function lastLines(text: string, count: number): string {
	return text.trimEnd().split("\n").slice(-count).join("\n");
}

/** A fence longer than any inside, so that quoted text cannot end it. */
function fenced(text: string): readonly string[] {
	const longest = Math.max(
		2,
		...[...text.matchAll(/`+/g)].map((run) => run[0].length),
	);
	const fence = "`".repeat(longest + 1);
	return [fence, text, fence];
}
