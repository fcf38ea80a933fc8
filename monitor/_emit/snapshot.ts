/** The local snapshot: small, deterministic text whose diff answers "did local state change" (contract 01 §6). */

import { byBytes } from "../_sys/byte-order.ts";
import type { PaneRow, PaneRows } from "../_sys/doors.ts";
import { TRANSIENT_PREFIX } from "./bells.ts";
import { oneLine } from "./clean-text.ts";

export interface SnapshotWindow {
	readonly name: string;
	readonly bell: boolean;
}

export interface SnapshotInput {
	/** None when tmux failed: the section is empty then. */
	readonly windows: readonly SnapshotWindow[];
	/** Lines of the reports section (`reports-listing.ts`). */
	readonly reports: string;
	/** Lines of the git section (`git-listing.ts`); null = the section is off. */
	readonly git: string | null;
}

export const TMUX_HEADER = "--- tmux ---";
export const REPORTS_HEADER = "--- reports ---";
export const GIT_HEADER = "--- git ---";

/** tmux first, so that a truncated diff never loses a window change behind report churn. */
export function renderSnapshot(i: SnapshotInput): string {
	const lines = [
		`# snapshot-format=v2 tmux-first,reports-bounded-count,git-${i.git === null ? "off" : "on"}`,
		TMUX_HEADER,
		...i.windows
			.filter(({ name }) => !name.startsWith(TRANSIENT_PREFIX))
			.map(windowLine)
			.sort(byBytes),
		REPORTS_HEADER,
		...linesOf(i.reports),
		...(i.git === null ? [] : [GIT_HEADER, ...linesOf(i.git)]),
	];
	return `${lines.join("\n")}\n`;
}

/** One entry a window, however many panes it has and in however many sessions it is shown. */
export function windowsOf(rows: readonly PaneRow[]): readonly SnapshotWindow[] {
	const byId = new Map<string, SnapshotWindow>();
	for (const row of rows) {
		const bell = row.bell || byId.get(row.windowId)?.bell === true;
		byId.set(row.windowId, { name: oneLine(row.windowName), bell });
	}
	return [...byId.values()];
}

/** Names of the windows there are; null = could not look. */
export function liveWindows(panes: PaneRows): ReadonlySet<string> | null {
	return panes.kind === "ok"
		? new Set(windowsOf(panes.rows).map(({ name }) => name))
		: null;
}

/** The first line names the shape; another shape is another baseline. */
export function formatLine(snapshot: string): string {
	return snapshot.split("\n", 1)[0] ?? "";
}

/**
 * The snapshot after bells were answered: only the bell flags of `names` are taken from `rows`. Everything else
 * stays as it was reported, or a report that arrived meanwhile would enter the baseline unseen.
 */
export function withBellsOf(
	snapshot: string,
	names: ReadonlySet<string>,
	rows: readonly PaneRow[],
): string {
	const ringing = new Set(
		windowsOf(rows).flatMap(({ name, bell }) => (bell ? [name] : [])),
	);
	return snapshot
		.split("\n")
		.map((line) => {
			const [, name] = /^(.*) bell=[01]$/.exec(line) ?? [];
			return name !== undefined && names.has(name)
				? windowLine({ name, bell: ringing.has(name) })
				: line;
		})
		.join("\n");
}

function windowLine({ name, bell }: SnapshotWindow): string {
	return `${name} bell=${bell ? 1 : 0}`;
}

function linesOf(text: string): readonly string[] {
	return text.split("\n").filter((line) => line !== "");
}
