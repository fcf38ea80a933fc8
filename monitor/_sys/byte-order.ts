/** The one order of names and lines, the same on every machine whatever its locale. Pure. */

/** Only beyond the 16-bit characters do the units of a text order otherwise than its bytes. */
const SURROGATE = /[\ud800-\udfff]/;

/** In the order of `byBytes`, as a new list; most names need no comparing of ours. */
export function sortedByBytes(texts: Iterable<string>): string[] {
	const sorted = [...texts].sort();
	return sorted.some((text) => SURROGATE.test(text))
		? sorted.sort(byBytes)
		: sorted;
}

/** For `sort`: by UTF-8 bytes, which is the order of code points. */
export function byBytes(a: string, b: string): number {
	if (SURROGATE.test(a) || SURROGATE.test(b))
		return Buffer.compare(Buffer.from(a), Buffer.from(b));
	return a < b ? -1 : Number(a > b);
}
