/** JSON that somebody else wrote, read so that it cannot throw: a field of a wrong type counts as absent (contract 00 C7). */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Undefined for text that is no JSON: torn, or foreign. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Null for text that is no JSON object. */
export function parseObject(text: string): JsonObject | null {
	const value = parseJson(text);
	return isObject(value) ? value : null;
}

/** No array, no null. */
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

/** Epoch seconds at the end of the path, from a number, its digits, or an ISO 8601 time; else null. */
export function epochAt(
	from: unknown,
	...path: readonly string[]
): number | null {
	const text = textAt(from, ...path);
	if (text === null) return numberAt(from, ...path);
	return /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : isoEpoch(text);
}

/** Whole epoch seconds of an ISO 8601 time; null for any other text. */
export function isoEpoch(text: string | null | undefined): number | null {
	const ms = text ? Date.parse(text) : Number.NaN;
	return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}
