/** `svc list`: what the registry says, as it is understood (contract 06 §6). */
import {
	REGISTRY_UNREADABLE_EXIT,
	type ServiceRow,
	servicesRegistryPath,
} from "../_state/services-registry.ts";
import type { Settings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";
import { registryOf } from "./cockpit/facts.ts";
import { takesNoName } from "./takes-no-name.ts";
import type { SvcVerb } from "./verb.ts";

export const run: SvcVerb = async (name, { doors, settings, print }) =>
	takesNoName("list", name, doors) ??
	listRegistry(doors, settings, print, sixColumns);

/** One line a row. 79 when it cannot be read; without a registry there is nothing to list, and that is well. */
export function listRegistry(
	doors: Pick<Doors, "files" | "proc" | "log">,
	settings: Settings,
	print: (line: string) => void,
	columns: (row: ServiceRow) => readonly string[],
): 0 | 79 {
	const { log, proc } = doors;
	for (const line of settings.problems) log.warn(line);
	const path = servicesRegistryPath(proc.env, settings.home.root);
	const registry = registryOf(doors, settings);
	switch (registry.kind) {
		case "absent":
			log.info(`no registry at ${path}: no services`);
			return 0;
		case "unreadable":
			log.warn(`registry not readable: ${path} (${registry.error})`);
			return REGISTRY_UNREADABLE_EXIT;
		case "rows":
			for (const warning of registry.warnings) log.warn(`${path} ${warning}`);
			for (const row of registry.rows) print(columns(row).join("\t"));
			return 0;
	}
}

/** As `--list` of recovery has always printed them. */
export function fiveColumns(row: ServiceRow): readonly string[] {
	return [row.name, row.workdir, row.launch, row.healthcheck, row.logfile];
}

function sixColumns(row: ServiceRow): readonly string[] {
	return [...fiveColumns(row), row.policy];
}
