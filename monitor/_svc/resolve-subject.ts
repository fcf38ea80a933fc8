/** Whom a verb's name means, by the registry and the records as they stand now. */
import { servicesRegistryPath } from "../_state/services-registry.ts";
import type { Settings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";
import { registryOf } from "./cockpit/facts.ts";
import { unlistedSupervisors } from "./cockpit/services.ts";
import { type Subject, subjectOf } from "./subject.ts";

/** With an unreadable registry nobody is called unknown. */
export function resolveSubject(
	doors: Pick<Doors, "files" | "proc">,
	settings: Settings,
	verb: string,
	name: string | undefined,
): Subject {
	const { home, config } = settings;
	const rows = registryOf(doors, settings);
	// Without a readable registry nobody can say that a service is not in it.
	const known = rows.kind === "rows" ? rows.rows : [];
	const unlisted =
		rows.kind === "unreadable" || name === undefined
			? []
			: unlistedSupervisors(doors, home.stateDir, known);
	return subjectOf({
		verb,
		name,
		rows,
		unlisted,
		target: config["monitor.target_window"],
		registry: servicesRegistryPath(doors.proc.env, home.root),
	});
}
