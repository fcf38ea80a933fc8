/** The one open map: `monitor.fleet.runtimes.<rt>.command` (contract 07 §11.10b). */

import { RUNTIME_NAME } from "./schema/fleet.ts";
import { CONFIG_KEYS, RUNTIMES_KEY, type Source } from "./schema.ts";
import { getKey, isMapping } from "./tree.ts";

const VARIABLE = /^MONITOR_FLEET_RUNTIME_([A-Z0-9_]+)_COMMAND$/;

/** Command line by runtime: the defaults, over them the file's, over them the environment's. */
export function resolveRuntimes(
	tree: unknown,
	env: Readonly<Record<string, string | undefined>>,
): {
	readonly value: Readonly<Record<string, string>>;
	readonly source: Source;
} {
	const value = new Map(
		Object.entries(CONFIG_KEYS[RUNTIMES_KEY].default ?? {}),
	);
	let source: Source = "default";

	const listed = getKey(tree, "monitor.fleet.runtimes");
	for (const [runtime, entry] of isMapping(listed)
		? Object.entries(listed)
		: []) {
		const command = isMapping(entry) ? entry.command : undefined;
		if (!RUNTIME_NAME.test(runtime) || typeof command !== "string") continue;
		value.set(runtime, command);
		source = "file";
	}
	for (const [name, command] of Object.entries(env)) {
		const spelled = VARIABLE.exec(name)?.[1];
		if (spelled === undefined || !command) continue;
		value.set(runtimeOf(spelled, value.keys()), command);
		source = "env";
	}
	return { value: Object.freeze(Object.fromEntries(value)), source };
}

/** A variable cannot hold a dash: a known runtime of that spelling is meant first. */
function runtimeOf(spelled: string, known: Iterable<string>): string {
	for (const name of known)
		if (name.toUpperCase().replaceAll("-", "_") === spelled) return name;
	return spelled.toLowerCase();
}
