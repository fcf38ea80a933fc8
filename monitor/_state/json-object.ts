/** JSON that somebody else wrote, read so that it cannot throw: a field of a wrong type counts as absent (contract 00 C7). */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Null for text that is no JSON object. */
export function parseObject(text: string): JsonObject | null {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : null;
	} catch {
		return null; // torn or foreign
	}
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What lies at the end of the path, or undefined. Own fields only: `constructor` is no field of anybody's. */
export function valueAt(from: unknown, ...path: readonly string[]): unknown {
	let at = from;
	for (const key of path) {
		if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
		at = at[key];
	}
	return at;
}

/** The text at the end of the path; null when it is none, or empty. */
export function textAt(
	from: unknown,
	...path: readonly string[]
): string | null {
	const value = valueAt(from, ...path);
	return typeof value === "string" && value !== "" ? value : null;
}

/** The finite number at the end of the path, or null. */
export function numberAt(
	from: unknown,
	...path: readonly string[]
): number | null {
	const value = valueAt(from, ...path);
	return typeof value === "number" && Number.isFinite(value) ? value : null;
}
