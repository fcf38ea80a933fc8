/** `svc down`: the watcher first, or it would report and revive; then the services. The agents' windows stay. */
import { ACTION_BOUND_SECONDS } from "../_services/healthcheck.ts";
import { REGISTRY_UNREADABLE_EXIT } from "../_state/services-registry.ts";
import { registryOf } from "./cockpit/facts.ts";
import { run as stopWatcher } from "./stop.ts";
import { stopService } from "./stop-service.ts";
import { takesNoName } from "./takes-no-name.ts";
import type { SvcVerb } from "./verb.ts";

/** 0 all is down, 1 something is not, 79 the registry cannot be read and services may run. */
export const run: SvcVerb = async (name, ctx) => {
	const { doors, settings } = ctx;
	const refused = takesNoName("down", name, doors);
	if (refused !== null) return refused;
	const exits = [await stopWatcher("watcher", ctx)];
	const registry = registryOf(doors, settings);
	const rows = registry.kind === "rows" ? registry.rows.toReversed() : [];
	if (rows.length > 0)
		doors.log.info(
			`${rows.length} service(s): ending them, and looking whether they still answer (at most ${ACTION_BOUND_SECONDS}s)`,
		);
	// Side by side: one that ignores SIGTERM, or whose check hangs, holds up no other.
	exits.push(
		...(await Promise.all(rows.map((row) => stopService(row, ctx, "stack")))),
	);
	if (registry.kind === "unreadable") {
		doors.log.warn(
			`registry not readable: ${registry.error}; services may run`,
		);
		exits.push(REGISTRY_UNREADABLE_EXIT);
	}
	doors.log.info("orchestrator and workers were left alone");
	return exits.find((exit) => exit !== 0) ?? 0;
};
