/** The two line formats of small state files: `key=value` and `key: value`. Values keep every later separator. */

export type Kv = ReadonlyMap<string, string>;

/** `key=value` lines; the first matching key wins, other lines are skipped (contract 06 §0). */
export function parseKv(text: string): Kv {
	return parseLines(text, "=");
}

/** `key: value` lines; the rest of the line is kept whole, colons included (contract 01 §2.4). */
export function parseColonLines(text: string): Kv {
	return parseLines(text, ": ");
}

/** Newlines in values become spaces. */
export function renderKv(
	pairs: readonly (readonly [string, string | number])[],
): string {
	return render(pairs, "=");
}

/** Newlines in values become spaces. */
export function renderColonLines(
	pairs: readonly (readonly [string, string | number])[],
): string {
	return render(pairs, ": ");
}

/** All-digit text as a number, else null (contract 04 §2: anything else is absent). */
export function digits(text: string | undefined): number | null {
	if (text === undefined || !/^\d{1,15}$/.test(text)) return null;
	return Number(text);
}

function parseLines(text: string, separator: string): Kv {
	const map = new Map<string, string>();
	for (const line of text.split("\n")) {
		const at = line.indexOf(separator);
		if (at <= 0) continue;
		const key = line.slice(0, at);
		if (!map.has(key)) map.set(key, line.slice(at + separator.length));
	}
	return map;
}

function render(
	pairs: readonly (readonly [string, string | number])[],
	separator: string,
): string {
	return pairs
		.map(
			([key, value]) =>
				`${key}${separator}${String(value).replace(/[\r\n]+/g, " ")}\n`,
		)
		.join("");
}
