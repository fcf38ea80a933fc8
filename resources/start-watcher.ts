#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `start-watcher`: the one way to start a standing watcher or steward (contract 09 §10). */
import { copyEnv } from "../monitor/_fleet/settings.ts";
import { fleetTmuxEnv } from "../monitor/_fleet/tmux-env.ts";
import { readSettings } from "../monitor/_state/settings.ts";
import { CODE_ROOT } from "../monitor/_sys/names.ts";
import { processEvents } from "../monitor/_sys/process-events.ts";
import { realDoors } from "../monitor/_sys/real-doors.ts";
import { complain } from "../monitor/_sys/stderr.ts";
import { fleetDeps } from "../monitor/fleet-wiring.ts";
import { startWatcher } from "./_start-watcher/run.ts";

if (import.meta.main) {
	const doors = realDoors({
		logPrefix: "start-watcher",
		tmuxEnv: fleetTmuxEnv,
	});
	process.exitCode = await startWatcher(process.argv.slice(2), {
		doors,
		cwd: process.cwd(),
		codeRoot: CODE_ROOT,
		events: processEvents(),
		out: (text) => void process.stdout.write(`${text}\n`),
		err: complain,
		copyEnv: ({ deps }) => copyEnv(deps.settings),
		settings: async () => {
			// Not cached: a refused start leaves nothing behind.
			const { home, config, problems } = await readSettings(
				doors,
				CODE_ROOT,
				false,
			);
			return { problems, deps: fleetDeps(doors, home, config) };
		},
	});
}
