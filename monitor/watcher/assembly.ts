/** The watcher's parts, put together: which scheduler, hooks, ticker and context one process runs on. */

import type { WatcherConfig } from "../../config/watcher.ts";
import { ownVitals } from "../_liveness/own-vitals.ts";
import { screenMemo } from "../_pane/screen-memo.ts";
import { readerSettings } from "../_pane/settings.ts";
import { type Sweep, sweepPanes } from "../_pane/sweep.ts";
import { makeWordLog } from "../_pane/word-log.ts";
import { followActionLog } from "../_state/action-log.ts";
import type { Home } from "../_state/home.ts";
import { schedulerLogPath } from "../_state/scheduler-log.ts";
import { stageDirOf } from "../_state/staging.ts";
import { WINDOW_EVENTS } from "../_state/window-events.ts";
import type { Doors } from "../_sys/doors.ts";
import { firstSnapshotNudge } from "./_compose_nudge/first-snapshot.ts";
import { type WakeHints, wakeHints } from "./_compose_nudge/wake-hints.ts";
import { composeNudge, nudgeSources } from "./_compose_nudge.ts";
import { fleetThisTick } from "./_loop/fleet-this-tick.ts";
import { panesThisTick } from "./_loop/panes-this-tick.ts";
import { type TickerKeeper, tickerKeeper } from "./_loop/ticker-keeper.ts";
import { Scheduler } from "./_scheduler.ts";
import { diskNow } from "./_startup/disk-now.ts";
import { type Self, selfOf } from "./_startup/instance.ts";
import { scratchPrefix } from "./_startup/scratch.ts";
import type { WatcherContext } from "./context.ts";
import { hintSources } from "./tasks.ts";

export interface Watcher {
	readonly ctx: WatcherContext;
	readonly scheduler: Scheduler;
	readonly self: Self;
	readonly ticker: TickerKeeper;
	readonly hints: WakeHints;
}

/** Makes the staging folder, whose disk says what time it is; starts nothing. */
export function assembleWatcher(
	doors: Doors,
	home: Home,
	config: WatcherConfig,
	target: string,
): Watcher {
	const { stateDir } = home;
	const stageDir = stageDirOf(stateDir, config.MONITOR_SCHEDULER_STAGE_DIR);
	doors.files.mkdir(stageDir);
	const startedAt = diskNow(doors, stageDir);
	const panes = panesThisTick(doors.tmux, doors.clock);
	const sweep = fleetSweep(doors, home, config, target, panes.look);
	const ttlMs = config["monitor.pane_cache.ttl_seconds"] * 1000;
	const fleet = fleetThisTick(sweep, doors.clock, ttlMs);
	const scheduler: Scheduler = new Scheduler({
		doors,
		stageDir,
		logPath: schedulerLogPath(stateDir, config.MONITOR_SCHEDULER_LOG),
		processStartedAt: startedAt,
		timeoutFloorSeconds:
			config["monitor.scheduler.async_timeout_floor_seconds"],
		backoffCap: config.MONITOR_SCHEDULER_ASYNC_TIMEOUT_BACKOFF_CAP,
		maxSleepSeconds: config["monitor.scheduler.max_sleep_seconds"],
		beforeTick: () => {
			panes.forget();
			fleet.forget();
		},
		afterTick: () => nudge(),
		onReaped: (task) => onReaped(task),
	});
	const { files } = doors;
	const nudge = composeNudge(
		files,
		nudgeSources({ stateDir, stageDir }),
		scheduler,
	);
	const stage = { stageDir, startedAt };
	const onReaped = firstSnapshotNudge(files, stage, scheduler);
	const ctx: WatcherContext = {
		...home,
		...stage,
		scratchDir: files.makeTempDir(scratchPrefix(stateDir)),
		target,
		config,
		scheduler,
		vitals: ownVitals(doors, {
			stateDir,
			target,
			intervalSeconds: config["monitor.interval_seconds"],
			slowFactor: config.MONITOR_LOOP_PERIOD_WARN_MULT,
		}),
		panesThisTick: panes.look,
		fleetThisTick: fleet.look,
		windowEventLog: followActionLog(WINDOW_EVENTS),
	};
	return {
		ctx,
		scheduler,
		self: selfOf(doors, home.root),
		ticker: tickerKeeper(doors, {
			stateDir,
			mainPid: doors.proc.pid,
			mainStartTicks: ownStartTicks(doors),
			tickSeconds: config["monitor.watcher.heartbeat_tick_seconds"],
			target,
		}),
		hints: wakeHints(doors, hintSources(ctx, doors), scheduler),
	};
}

/** One sweep over all panes, on the tick's own listing. */
function fleetSweep(
	doors: Doors,
	{ stateDir }: Home,
	config: WatcherConfig,
	target: string,
	listPanes: WatcherContext["panesThisTick"],
): () => Promise<Sweep> {
	const settings = { ...readerSettings(config), targetWindow: target };
	const noteSession = makeWordLog(doors.log);
	const readScreens = screenMemo();
	return async () => {
		const listed = await listPanes();
		const deps = { doors, stateDir, settings };
		return sweepPanes(deps, { listed, noteSession, readScreens });
	};
}

/** Unreadable: a value that no process has, so that the ticker ends rather than report a stranger's life as ours. */
function ownStartTicks({ proc }: Doors): string {
	const look = proc.stat(proc.pid);
	return look.kind === "ok" ? look.value.startTicks : "unknown";
}
