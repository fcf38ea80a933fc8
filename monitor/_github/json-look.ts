/** Answers of GitHub's are looked into, never trusted: readers that cannot throw. Pure. */

/** A property of an object; undefined of anything else. */
export function at(value: unknown, ...path: readonly string[]): unknown {
	let found = value;
	for (const name of path) {
		if (typeof found !== "object" || found === null) return undefined;
		found = Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
	}
	return found;
}

/** Null for any other type, and where the path ends early. */
export function textAt(
	value: unknown,
	...path: readonly string[]
): string | null {
	const found = at(value, ...path);
	return typeof found === "string" ? found : null;
}

/** Null for any other type, and where the path ends early. */
export function listAt(
	value: unknown,
	...path: readonly string[]
): readonly unknown[] | null {
	const found = at(value, ...path);
	return Array.isArray(found) ? found : null;
}

/** Digits, whether they came as a number, a text, or more than a number holds. */
export function idAt(
	value: unknown,
	...path: readonly string[]
): string | null {
	const found = at(value, ...path);
	const isWhole =
		typeof found === "bigint" ||
		typeof found === "string" ||
		(typeof found === "number" && Number.isSafeInteger(found));
	const text = isWhole ? String(found) : "";
	return /^\d{1,30}$/.test(text) ? text : null;
}
