/** `ng watcher-status [--scheduler]` (contract 05 §14.1). Looks only; the exit code is the liveness bucket. */

import { gatherLiveness } from "../_liveness/liveness-facts.ts";
import { livenessLimits } from "../_liveness/liveness-limits.ts";
import { livenessBucket } from "../_liveness/verdict.ts";
import { watcherIdentity } from "../_liveness/watcher-process.ts";
import { schedulerLogPath } from "../_state/scheduler-log.ts";
import { readSettings } from "../_state/settings.ts";
import { stateDirFromEnv } from "../_state/state-dir.ts";
import { parseCli } from "../_sys/cli.ts";
import type { NgVerb } from "./verb.ts";
import { gatherStatus } from "./watcher-status/facts.ts";
import { renderWatcherStatus } from "./watcher-status/render.ts";
import { lastFires, schedulerLines } from "./watcher-status/scheduler.ts";

/** 0 UP, 1 BUSY, 2 DOWN, 3 no heartbeat file, 4 WEDGED. */
export const run: NgVerb = async (args, { doors, codeRoot, out, err }) => {
	const cli = parseCli(args, { flags: { "--scheduler": "switch" } });
	if (cli.kind !== "ok") {
		if (cli.kind === "refused") err(cli.message);
		return cli.kind === "refused" ? cli.rc : 0;
	}
	const { files, proc } = doors;
	const settings = await readSettings(doors, codeRoot, true);
	for (const line of settings.problems) err(line);
	// Without a readable file the root it may name is unknown, and another one's watcher is not the answer.
	if (settings.problems.length > 0 && stateDirFromEnv(proc.env) === null)
		return 1;
	const { stateDir } = settings.home;
	const liveness = gatherLiveness(
		doors,
		stateDir,
		watcherIdentity(files, stateDir, settings.home.codeRoot),
	);
	for (const line of renderWatcherStatus(
		await gatherStatus(doors, stateDir, liveness, settings.configPath),
	))
		out(line);
	if (cli.on("--scheduler")) {
		const path = schedulerLogPath(stateDir, proc.env.MONITOR_SCHEDULER_LOG);
		for (const line of schedulerLines(path, lastFires(files, path))) out(line);
	}
	const interval = settings.config["monitor.interval_seconds"];
	return livenessBucket(liveness, livenessLimits(proc.env, interval));
};
