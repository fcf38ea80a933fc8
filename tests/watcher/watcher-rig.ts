/** A watcher's context on fake doors, with a resolved configuration of two keys and defaults. */

import {
	resolveWatcherConfig,
	type WatcherConfig,
} from "../../config/watcher.ts";
import { ownVitals } from "../../monitor/_liveness/own-vitals.ts";
import { readerSettings } from "../../monitor/_pane/settings.ts";
import { sweepPanes } from "../../monitor/_pane/sweep.ts";
import { followActionLog } from "../../monitor/_state/action-log.ts";
import { WINDOW_EVENTS } from "../../monitor/_state/window-events.ts";
import { panesThisTick } from "../../monitor/watcher/_loop/panes-this-tick.ts";
import type {
	SchedulerPort,
	WatcherContext,
} from "../../monitor/watcher/context.ts";
import type { FakeDoors } from "../fakes/doors.ts";

export const STATE = "/root/monitor/.state";

export function watcherConfig(
	env: Readonly<Record<string, string>> = {},
): WatcherConfig {
	const tree = { github: { repo: "acme/assets", user_login: "op" } };
	const file = { path: "/root/config/nexus.yml", sha256: "a".repeat(64), tree };
	const from = { root: "/root", home: "/home/op" };
	const resolved = resolveWatcherConfig(file, env, from);
	if (resolved.kind !== "ok") throw new Error(JSON.stringify(resolved.issues));
	return resolved.config;
}

/** Notes what tasks ask of the scheduler. */
export function schedulerPort(
	registered: readonly string[] = [],
	nextFires: Readonly<Record<string, number>> = {},
) {
	const asked: string[] = [];
	const note = (line: string) => {
		asked.push(line);
		return 0;
	};
	const port: SchedulerPort = {
		fireNow: (name) => note(`fire ${name}`),
		override: (name, interval, duration) =>
			note(`override ${name} ${interval}/${duration}`),
		skipUntil: (name, at) => note(`skip ${name} ${at}`),
		isRegistered: (name) => registered.includes(name),
		nextFireOf: (name) => nextFires[name] ?? null,
	};
	return { port, asked };
}

export function watcherContext(
	doors: FakeDoors,
	over: Partial<WatcherContext> = {},
): WatcherContext {
	const config = over.config ?? watcherConfig();
	const target = over.target ?? "orchestrator";
	return {
		root: "/root",
		stateDir: STATE,
		stageDir: `${STATE}/scheduler-staging`,
		scratchDir: "/tmp/scratch",
		codeRoot: "/code",
		target,
		config,
		startedAt: doors.clock.now(),
		scheduler: schedulerPort().port,
		vitals: ownVitals(doors, {
			stateDir: STATE,
			target,
			intervalSeconds: config["monitor.interval_seconds"],
			slowFactor: config.MONITOR_LOOP_PERIOD_WARN_MULT,
		}),
		panesThisTick: panesThisTick(doors.tmux, doors.clock).look,
		fleetThisTick: () =>
			sweepPanes({ doors, stateDir: STATE, settings: readerSettings(config) }),
		windowEventLog: followActionLog(WINDOW_EVENTS),
		...over,
	};
}
