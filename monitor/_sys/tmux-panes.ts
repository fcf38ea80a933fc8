/** Is the pane that a paste would land in alive, and is the target there? (contract 04 §4.2, §4.3, 01 §9.2) */
import type { PaneRow, PaneRows } from "./doors.ts";

/** Only `live` is pasted into: a paste into a dead pane kills the tmux server and every window with it. */
export type PaneLiveness = "live" | "dead" | "absent" | "unknown";
export type Existence = "yes" | "no" | "unknown";

/**
 * Pure. `target` is a name, `@N` or `%N` (a leading `:=` is dropped); of a window only the active
 * pane counts, and with several windows of one name a dead one outranks the rest. `exists` is the
 * answer of `list-panes -t <id>`, needed only for an id that is in no row.
 */
export function paneLiveness(
	rows: PaneRows,
	target: string,
	exists: Existence = "unknown",
): PaneLiveness {
	const wanted = target.replace(/^:=/, "");
	if (wanted === "" || rows.kind !== "ok" || rows.rows.length === 0)
		return "unknown";
	const named = rows.rows.filter((row) => isTarget(row, wanted));
	if (named.length === 0) {
		if (!isId(wanted)) return "absent";
		return exists === "no" ? "absent" : "unknown";
	}
	const flags = named
		.filter((row) => row.paneActive || row.paneId === wanted)
		.map((row) => row.paneDead);
	if (flags.includes("1")) return "dead";
	return flags.length > 0 && flags.every((flag) => flag === "0")
		? "live"
		: "unknown";
}

/** 0 = at least one pane of the target is not provably dead, 1 = cannot tell, 2 = not there, or only corpses. */
export function targetPresence(rows: PaneRows, target: string): 0 | 1 | 2 {
	if (rows.kind !== "ok" || rows.rows.length === 0) return 1;
	const panes = rows.rows.filter((row) => row.windowName === target);
	return panes.some((row) => row.paneDead !== "1") ? 0 : 2;
}

function isTarget(row: PaneRow, wanted: string): boolean {
	if (wanted.startsWith("@")) return row.windowId === wanted;
	if (wanted.startsWith("%")) return row.paneId === wanted;
	return row.windowName === wanted;
}

function isId(target: string): boolean {
	return /^[@%]\d+$/.test(target);
}
