/**
 * The table of tasks (contract 01 §5), and which folders wake which of them. The only importer of all tasks; a task that
 * is not here does not run.
 */
import type { EmitDeps } from "../_emit/emit-deps.ts";
import { requestInbox } from "../_emit/local-providers.ts";
import type { FleetDeps } from "../_fleet/open.ts";
import { sessionsDir, waitingChanged } from "../_pane/waiting-sessions.ts";
import { decisionsDir } from "../_state/decisions.ts";
import type { Doors } from "../_sys/doors.ts";
import { bellWindowsTask } from "./_bell_windows.ts";
import { ccAutoUpdateTask } from "./_cc_auto_update.ts";
import { ccVersionCheckTask, lookForUpdate } from "./_cc_update.ts";
import { cloneDriftTask } from "./_clone_drift.ts";
import { composeEmitTask } from "./_compose_emit.ts";
import type { HintSource } from "./_compose_nudge/wake-hints.ts";
import { fleetMonitorsTask } from "./_fleet_monitors.ts";
import { fullStateSnapTask } from "./_full_state_snap.ts";
import { idleSectionTask } from "./_idle_probe.ts";
import { orchestratorLivenessTask } from "./_orchestrator_liveness.ts";
import { deliverBrief } from "./_orphan_async/deliver-brief.ts";
import { orphanAsyncScanTask, orphanAsyncWakesTask } from "./_orphan_async.ts";
import {
	expediteAll,
	limitSettings,
	overLimitScanTask,
	overLimitWakesTask,
} from "./_over_limit.ts";
import { pendingDecisionsTask } from "./_pending_decisions.ts";
import { pruneArchiveTask } from "./_prune_archive.ts";
import { reportsRollTask } from "./_reports_roll.ts";
import { requestsPollTask } from "./_requests.ts";
import { serviceHealthTask } from "./_service_health.ts";
import { snapshotLocalTask } from "./_snapshot_local.ts";
import { targetWindowTask } from "./_target_window.ts";
import { detectUnstickTask } from "./_unstick.ts";
import { versionCheckTask } from "./_version_restart.ts";
import type { TaskRun, TaskSpec, WatcherContext } from "./context.ts";
import type { PaneHands } from "./emit-wiring.ts";
import type { GitHubWiring } from "./github-wiring.ts";
import type { RespawnWiring } from "./respawn-wiring.ts";

/** What the tasks are given of rooms that they must not import. */
export interface TaskParts {
	readonly emit: EmitDeps;
	readonly hands: PaneHands;
	/** Null: no App is configured, and its tasks are not there. */
	readonly gitHub: GitHubWiring | null;
	readonly respawn: RespawnWiring;
	readonly fleet: FleetDeps;
}

/** The order says nothing: the scheduler goes by time and name. */
export function watcherTasks({
	emit,
	hands,
	gitHub,
	respawn,
	fleet,
}: TaskParts): readonly TaskSpec[] {
	return [
		targetWindowTask(respawn),
		orchestratorLivenessTask(respawn.liveness),
		pendingDecisionsTask,
		requestsPollTask,
		bellWindowsTask,
		snapshotLocalTask,
		idleSectionTask,
		orphanAsyncScanTask,
		orphanAsyncWakesTask(deliverBrief),
		overLimitScanTask,
		overLimitWakesTask(hands),
		detectUnstickTask({ hands, expedite }),
		composeEmitTask(emit),
		pruneArchiveTask,
		fullStateSnapTask(emit),
		reportsRollTask,
		fleetMonitorsTask(fleet),
		serviceHealthTask,
		versionCheckTask,
		cloneDriftTask(gitHub?.app ?? null),
		ccVersionCheckTask,
		ccAutoUpdateTask(lookForUpdate),
		...(gitHub?.tasks(emit) ?? []),
	];
}

/** One duty hands the other its news: a limit that is over ends all holds. */
function expedite(
	{ stateDir, config }: WatcherContext,
	{ doors }: TaskRun,
	source: string,
): number {
	const { maxAttempts } = limitSettings(config);
	return expediteAll(doors, stateDir, source, maxAttempts);
}

/** A file that appears in one of these folders fires its task at once; in Claude Code's, a session that begins or ends to wait for an answer. */
export function hintSources(
	ctx: WatcherContext,
	doors: Doors,
): readonly HintSource[] {
	const inbox = requestInbox(doors, ctx);
	const sessions = sessionsDir(doors.proc.env);
	return [
		{ dir: decisionsDir(ctx.stateDir), task: "pending_decisions" },
		...(inbox.kind === "refused"
			? []
			: [{ dir: inbox.dir, task: "requests_poll" }]),
		{
			dir: sessions,
			task: "idle_section",
			isNews: waitingChanged(doors.files, sessions),
		},
		{
			dir: sessions,
			task: "detect_unstick",
			isNews: waitingChanged(doors.files, sessions),
		},
	];
}
