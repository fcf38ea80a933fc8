/** The one open map: `monitor.fleet.runtimes.<rt>.command` (contract 07 §11.10b). */

import { RUNTIME_NAME } from "./schema/fleet.ts";
import { CONFIG_KEYS, RUNTIMES_KEY, type Source } from "./schema.ts";
import { getKey, isMapping } from "./tree.ts";

const VARIABLE = /^MONITOR_FLEET_RUNTIME_([A-Z0-9_]+)_COMMAND$/;

export interface RuntimeCommand {
	readonly command: string;
	readonly from:
		| { readonly kind: "default" }
		| { readonly kind: "file" }
		/** `name` is the variable. */
		| { readonly kind: "env"; readonly name: string };
}

/** Command line by runtime: the defaults, over them the file's, over them the environment's. */
export function runtimeCommands(
	tree: unknown,
	env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, RuntimeCommand> {
	const known = new Map<string, RuntimeCommand>();
	const defaults = CONFIG_KEYS[RUNTIMES_KEY].default ?? {};
	for (const [runtime, command] of Object.entries(defaults))
		known.set(runtime, { command, from: { kind: "default" } });

	const listed = getKey(tree, "monitor.fleet.runtimes");
	for (const [runtime, entry] of isMapping(listed)
		? Object.entries(listed)
		: []) {
		const command = isMapping(entry) ? entry.command : undefined;
		if (!RUNTIME_NAME.test(runtime) || typeof command !== "string") continue;
		known.set(runtime, { command, from: { kind: "file" } });
	}
	for (const [name, command] of Object.entries(env)) {
		const spelled = VARIABLE.exec(name)?.[1];
		if (spelled === undefined || !command) continue;
		const runtime = runtimeOf(spelled, known.keys());
		known.set(runtime, { command, from: { kind: "env", name } });
	}
	return known;
}

/** The same as the one value of the map's key; its source is the strongest of its entries'. */
export function resolveRuntimes(
	tree: unknown,
	env: Readonly<Record<string, string | undefined>>,
): {
	readonly value: Readonly<Record<string, string>>;
	readonly source: Source;
} {
	const entries = [...runtimeCommands(tree, env)];
	const kinds = new Set(entries.map(([, { from }]) => from.kind));
	return {
		value: Object.freeze(
			Object.fromEntries(entries.map(([name, { command }]) => [name, command])),
		),
		source: kinds.has("env") ? "env" : kinds.has("file") ? "file" : "default",
	};
}

/** A variable cannot hold a dash: a known runtime of that spelling is meant first. */
function runtimeOf(spelled: string, known: Iterable<string>): string {
	for (const name of known)
		if (name.toUpperCase().replaceAll("-", "_") === spelled) return name;
	return spelled.toLowerCase();
}
