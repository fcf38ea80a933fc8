/** `svc restart watcher` (contract 06 §6.3): idempotent, and safe when it is already down. */
import { gatherLiveness } from "../_liveness/liveness-facts.ts";
import { livenessLimits } from "../_liveness/liveness-limits.ts";
import { livenessBucket } from "../_liveness/verdict.ts";
import { clearStopRequest } from "../_state/watcher-stop-requested.ts";
import { type SeenWatcher, seeWatcher } from "./live-watcher.ts";
import { refuseBadConfig } from "./refuse-bad-config.ts";
import { runLauncher } from "./run-launcher.ts";
import type { SvcContext, SvcVerb } from "./verb.ts";

/** 0 exactly one runs, 1 none, 2 configuration or flags (the running one was left alone), 6 more than one. */
export const run: SvcVerb = async (_name, ctx) => {
	const { doors, settings } = ctx;
	const refused = refuseBadConfig(doors, settings);
	if (refused !== null) return refused;
	clearStopRequest(doors.files, settings.home.stateDir);
	const rc = await runLauncher(doors, settings, "--replace");
	if (rc === 2) return 2;
	const seen = seeWatcher(doors, settings.home);
	const { exit, line } = judgeRestart(rc, seen, bucketOf(ctx));
	if (exit === 0) doors.log.info(line);
	else doors.log.warn(line);
	return exit;
};

export interface RestartVerdict {
	readonly exit: 0 | 1 | 6;
	readonly line: string;
}

/**
 * Pure. The early heartbeat of a starting watcher counts as alive: reading it as down caused a revive/kill loop.
 * `launcherExit` only colours the words.
 */
export function judgeRestart(
	launcherExit: number,
	seen: Pick<SeenWatcher, "check" | "groups" | "pid">,
	bucket: number,
): RestartVerdict {
	const groups = seen.groups ?? [];
	if (groups.length > 1)
		return {
			exit: 6,
			line: `watcher: ${groups.length} run at once: process groups ${groups.join(", ")}`,
		};
	const alive = bucket === 0 || bucket === 4 || seen.check === "live";
	if (!alive)
		return {
			exit: 1,
			line: `watcher: none runs (launcher exit ${launcherExit})`,
		};
	// The launcher refused; the one that runs is the old one. Exactly one lives, and that is what was asked for.
	if (launcherExit === 4 || launcherExit === 5)
		return {
			exit: 0,
			line: `watcher: NOT replaced (launcher exit ${launcherExit}); pid ${seen.pid ?? "?"} goes on`,
		};
	return { exit: 0, line: "watcher: restart OK" };
}

function bucketOf({ doors, settings }: SvcContext): number {
	const { identity } = seeWatcher(doors, settings.home);
	return livenessBucket(
		gatherLiveness(doors, settings.home.stateDir, identity),
		livenessLimits(doors.proc.env, settings.config["monitor.interval_seconds"]),
	);
}
