/** The loop's steps on real parts (contract 01 §2.2). */

import type { GitHubApp } from "../../_github/app.ts";
import { beaconLoopStep } from "../../_liveness/beacon-step.ts";
import type { Beacon } from "../../_state/instance-heartbeat.ts";
import type { Doors } from "../../_sys/doors.ts";
import { fsGuardStep, type KnownFsMode } from "../../_sys/fs-guard.ts";
import type { LoopParts, LoopScheduler } from "../_loop.ts";
import type { WatcherContext } from "../context.ts";
import { configGlance } from "./config-glance.ts";
import { diskIncident } from "./disk-incident.ts";

export interface LoopWorld {
	readonly doors: Doors;
	readonly ctx: WatcherContext;
	/** Where the configuration was found, for the glance at it. */
	readonly configRoot: string;
	/** What the beacon says of this process. */
	readonly self: Omit<Beacon, "epoch" | "ts">;
	readonly scheduler: LoopScheduler;
	readonly ticker: { readonly keep: () => void };
	readonly hints: { readonly rearm: () => void };
	readonly publishAgain: () => Promise<boolean>;
	/** Null: GitHub is off. */
	readonly app: GitHubApp | null;
}

/** No branching: which step answers what is `runLoop`'s. */
export function loopParts(w: LoopWorld): LoopParts {
	const { doors, ctx } = w;
	const { config, stateDir, root } = ctx;
	const beaconWindow = config["monitor.instance_heartbeat_staleness_seconds"];
	const guard = {
		dir: stateDir,
		root,
		throttleSeconds: config["monitor.rofs_alarm.throttle_seconds"],
	};
	const incident = diskIncident(doors, ctx, w.app);
	let mode: KnownFsMode = "unknown";
	return {
		doors,
		scheduler: w.scheduler,
		intervalSeconds: config["monitor.interval_seconds"],
		maxSleepSeconds: config["monitor.scheduler.max_sleep_seconds"],
		degradedPollSeconds: config.MONITOR_FS_DEGRADED_POLL_SECONDS,
		checkDisk: async () => {
			mode = await fsGuardStep(doors, guard, mode);
			incident(mode);
			return mode === "ok" ? "writable" : "not-writable";
		},
		publishAgain: w.publishAgain,
		bumpProgress: () => ctx.vitals.progress("loop-tick"),
		keepTicker: w.ticker.keep,
		glance: configGlance(doors, stateDir, w.configRoot, config.file),
		rearmHints: w.hints.rearm,
		beaconStep: () => beaconLoopStep(doors, stateDir, w.self, beaconWindow),
	};
}
