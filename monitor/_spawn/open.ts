/** What `spawn-worker` needs of the configuration, as its parts are given it. */
import { requestsDir } from "../_state/requests-dir.ts";
import {
	readServiceNames,
	servicesRegistryPath,
} from "../_state/services-registry.ts";
import { readSettings } from "../_state/settings.ts";
import { stateDirFromEnv, stateDirOf } from "../_state/state-dir.ts";
import type { Doors } from "../_sys/doors.ts";
import { type SpawnContext, warn } from "./context.ts";

/**
 * Null when the file cannot be used and nothing else says where the state lives: another root's is no answer. With a root
 * from the environment a start goes on without the file: work must not wait for a typo.
 */
export async function openContext(
	doors: Doors,
	codeRoot: string,
	cwd: string,
	say: Pick<SpawnContext, "out" | "err">,
): Promise<SpawnContext | null> {
	// Not cached: a refused or dry start leaves nothing behind.
	const { home, config, problems } = await readSettings(doors, codeRoot, false);
	for (const line of problems) say.err(line);
	if (problems.length > 0 && stateDirFromEnv(doors.proc.env) === null)
		return null;
	const inbox = requestsDir({
		env: doors.proc.env.NEXUS_REQUESTS_DIR ?? null,
		configured: config["monitor.requests.dir"] ?? null,
		home: doors.proc.env.HOME ?? "/",
		stateDir: home.stateDir,
		liveStateDir: stateDirOf(home.root),
	});
	if (inbox.kind === "refused") warn(say, inbox.why);
	const registry = servicesRegistryPath(doors.proc.env, home.root);
	const services = readServiceNames(doors.files, registry);
	const targetWindow = config["monitor.target_window"];
	return {
		doors,
		home,
		cwd,
		...say,
		settings: {
			targetWindow,
			workers: {
				target: targetWindow,
				servicesWindow: config["monitor.services_window"],
				services: services.kind === "ok" ? services.names : new Set(),
			},
			useLoop: config["monitor.retain.use_loop_wrapper"],
			inbox: inbox.kind === "ok" ? inbox.dir : null,
		},
	};
}
