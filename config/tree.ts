/** Walking a parsed file by dotted key. Own properties only: a file may name a key `constructor`. */

/** A mapping of the tree: neither a list nor a scalar. */
export function isMapping(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a dotted key; undefined when it, or a mapping above it, is absent. */
export function getKey(tree: unknown, dotted: string): unknown {
	return getPath(tree, dotted.split("."));
}

/** As `getKey`; numbers index lists. */
export function getPath(tree: unknown, path: readonly PropertyKey[]): unknown {
	let value = tree;
	for (const step of path) {
		if (typeof step === "number" && Array.isArray(value)) value = value[step];
		else if (isMapping(value) && Object.hasOwn(value, step))
			value = value[String(step)];
		else return undefined;
	}
	return value;
}

/** Every leaf in the order of the file: scalars, lists and empty mappings. */
export function* leavesOf(
	tree: unknown,
	path: readonly string[] = [],
): Generator<{ readonly key: string; readonly value: unknown }> {
	if (isMapping(tree) && (path.length === 0 || Object.keys(tree).length > 0))
		for (const [name, value] of Object.entries(tree))
			yield* leavesOf(value, [...path, name]);
	else yield { key: path.join("."), value: tree };
}
