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

/** `2026-01-01T12:30:15.123000Z`: as the programs that write microseconds do. */
export function isoMicros(epochMs: number): string {
	return isoMillis(epochMs).replace(/Z$/, "000Z");
}

/** `20260101-123015-123000`, in the order of time. */
export function fileStamp(epochMs: number): string {
	const [, date = "", time = "", ms = ""] =
		/^(.*)T(.*)\.(\d{3})Z$/.exec(isoMillis(epochMs)) ?? [];
	return `${date.replaceAll("-", "")}-${time.replaceAll(":", "")}-${ms}000`;
}
