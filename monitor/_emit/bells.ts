/** Standing bells: windows that rang and that the orchestrator should hear of (contract 01 §9.1). */

import { column } from "../_state/rows-file.ts";
import type { PaneRow } from "../_sys/doors.ts";
import { oneLine } from "./clean-text.ts";

export interface Bell {
	readonly index: number;
	readonly name: string;
}

/** Windows whose bell is nobody's news; the target's own is added by the caller. */
const NEVER_RINGS: ReadonlySet<string> = new Set([
	"orchestrator",
	"claude",
	"monitor",
]);

/** Names that start so are bells of the operator's own notifier. */
export const TRANSIENT_PREFIX = "•";

/** One bell a window, by index then name. A window shown in several sessions counts once. */
export function listBellWindows(
	rows: readonly PaneRow[],
	target: string,
): readonly Bell[] {
	const byWindow = new Map<string, Bell>();
	for (const row of rows) {
		const name = oneLine(row.windowName);
		if (!row.bell || name.startsWith(TRANSIENT_PREFIX)) continue;
		if (name === target || NEVER_RINGS.has(name)) continue;
		if (!byWindow.has(row.windowId))
			byWindow.set(row.windowId, { index: row.windowIndex, name });
	}
	return [...byWindow.values()].sort(
		(a, b) => a.index - b.index || (a.name < b.name ? -1 : 1),
	);
}

/** Rows of the `--- standing bells ---` section. */
export function renderBells(bells: readonly Bell[]): string {
	return bells
		.map(({ name, index }) => `  - ${name} (idx ${index})\n`)
		.join("");
}

/** The staged form: `<index>\t<name>` a line. */
export function renderStagedBells(bells: readonly Bell[]): string {
	return bells.map(({ name, index }) => `${index}\t${column(name)}\n`).join("");
}

/** A line that does not parse costs only itself. */
export function parseStagedBells(text: string): readonly Bell[] {
	return text.split("\n").flatMap((line) => {
		const [, index, name] = /^(\d{1,9})\t(.+)$/.exec(line) ?? [];
		return name === undefined ? [] : [{ index: Number(index), name }];
	});
}
