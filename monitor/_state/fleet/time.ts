/** Times in the fleet's files: UTC, ISO 8601, ending in `Z` (contract 09 §2.2). Pure. */

/** `2026-01-01T12:30:15Z`. */
export function isoSeconds(epochMs: number): string {
	return new Date(epochMs).toISOString().replace(/\.\d+Z$/, "Z");
}

/** `2026-01-01T12:30:15.000Z`: messages of one second keep their order. */
export function isoMillis(epochMs: number): string {
	return new Date(epochMs).toISOString();
}

/** Epoch milliseconds, or null for a text that is no such time. */
export function parseIso(text: string | null | undefined): number | null {
	if (!text) return null;
	const ms = Date.parse(text);
	return Number.isFinite(ms) ? ms : null;
}
