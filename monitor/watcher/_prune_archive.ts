/** `prune_archive`: keeps archives, stamps and logs from growing for ever (contract 01 §13). Sync, so it must stay cheap. */
import { actionLogPath } from "../_state/action-log.ts";
import { alertHistory } from "../_state/alert-history.ts";
import {
	archivePath,
	listArchives,
	planPrune,
} from "../_state/emit-archive.ts";
import { emitHistory } from "../_state/emit-history.ts";
import { functionalCheckPath } from "../_state/functional-check.ts";
import { prunePasteVerdicts } from "../_state/paste-verdicts.ts";
import { trimProcessedComments } from "../_state/processed-comments.ts";
import { reemitBackoff } from "../_state/reemit-backoff.ts";
import {
	dropOldRotations,
	type RotatedLog,
	rotate,
} from "../_state/rotation.ts";
import { schedulerLogPath } from "../_state/scheduler-log.ts";
import { pruneStamps } from "../_state/stamp-folder.ts";
import { pruneUnstick } from "../_state/unstick.ts";
import { unstickLogPath } from "../_state/unstick-log.ts";
import { watcherLogPath } from "../_state/watcher-log.ts";
import type { Doors } from "../_sys/doors.ts";
import type { TaskSpec, WatcherContext } from "./context.ts";

export const pruneArchiveTask: TaskSpec = {
	name: "prune_archive",
	intervalSeconds: () => 600,
	class: "cheap",
	async: false,
	make: (ctx) => async (run) => {
		const { config, stateDir } = ctx;
		pruneArchives(run.doors, ctx);
		const oldest =
			run.doors.clock.now() - config["monitor.emit_history_retention_seconds"];
		for (const folder of [emitHistory, reemitBackoff, alertHistory])
			pruneStamps(run.doors.files, folder(stateDir), oldest);
		const old = run.doors.clock.now() - KEPT_EVIDENCE_SECONDS;
		pruneUnstick(run.doors.files, stateDir, old);
		prunePasteVerdicts(run.doors.files, stateDir, old);
		for (const log of rotatedLogs(ctx)) {
			rotate(run.doors, log);
			dropOldRotations(run.doors, log, config["monitor.diff_retention_days"]);
		}
		trimProcessedComments(
			run.doors.files,
			stateDir,
			config["monitor.processed_comments_max_entries"],
		);
		return { rc: 0 };
	},
};

/** Captures of dialogs and verdicts of follow-ups: nobody asks after a week. */
const KEPT_EVIDENCE_SECONDS = 7 * 86_400;

function pruneArchives(
	{ files, clock }: Doors,
	{ stateDir, config }: WatcherContext,
): void {
	const names = listArchives(files, stateDir);
	if (names === null) return;
	const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
	const doomed = planPrune(names, today, {
		maxFiles: config["monitor.diff_max_files"],
		retentionDays: config["monitor.diff_retention_days"],
		maxPerRun: config["monitor.diff_prune_max_per_run"],
	});
	for (const name of doomed) files.remove(archivePath(stateDir, name));
}

function rotatedLogs({
	stateDir,
	config,
}: WatcherContext): readonly RotatedLog[] {
	const maxBytes = config["monitor.state_log_max_bytes"];
	return [
		{
			path: schedulerLogPath(stateDir, config.MONITOR_SCHEDULER_LOG),
			maxBytes: config["monitor.scheduler.log_max_bytes"],
			how: "rename",
		},
		{ path: functionalCheckPath(stateDir), maxBytes, how: "rename" },
		{ path: actionLogPath(stateDir), maxBytes, how: "rename" },
		{ path: unstickLogPath(stateDir), maxBytes, how: "rename" },
		{ path: watcherLogPath(stateDir), maxBytes, how: "copy" },
	];
}
