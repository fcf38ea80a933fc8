/** `svc start watcher` (contract 06 §6): takes back a stop, then sees to it that one runs. */
import { clearStopRequest } from "../_state/watcher-stop-requested.ts";
import { seeWatcher } from "./live-watcher.ts";
import { refuseBadConfig } from "./refuse-bad-config.ts";
import { runLauncher } from "./run-launcher.ts";
import type { SvcVerb } from "./verb.ts";

/** 0 runs, 2 configuration or flags, else 1. */
export const run: SvcVerb = async (_name, { doors, settings }) => {
	const refused = refuseBadConfig(doors, settings);
	if (refused !== null) return refused;
	const { home } = settings;
	const before = seeWatcher(doors, home);
	clearStopRequest(doors.files, home.stateDir);
	const rc = await runLauncher(doors, settings, "--ensure");
	if (rc === 2) return 2;
	const after = seeWatcher(doors, home);
	if (rc !== 0) {
		doors.log.warn(`watcher: not started (launcher exit ${rc})`);
		return 1;
	}
	const outcome = before.pid === after.pid ? "healthy" : "relaunched";
	doors.log.info(`watcher: ${outcome}`);
	return 0;
};
