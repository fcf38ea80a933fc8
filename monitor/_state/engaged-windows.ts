/** In which windows does the operator himself work now (contract 03 §12.3)? Joins the mark with what ends it. */
import { readActionLog } from "./action-log.ts";
import type { StateDoors } from "./damaged.ts";
import { isMarked, readOperatorEngaged } from "./operator-engaged.ts";
import { readPaneChange } from "./pane-change.ts";
import { WINDOW_EVENTS, windowEvents } from "./window-events.ts";

/** `changeTtlSeconds` is `monitor.operator_engaged_change_ttl_seconds`. In doubt a window is not among them. */
export function engagedWindows(
	doors: StateDoors,
	stateDir: string,
	changeTtlSeconds: number,
): ReadonlySet<string> {
	const read = readOperatorEngaged(doors, stateDir);
	const marks = read.kind === "ok" ? read.rows.filter((m) => m.since > 0) : [];
	if (marks.length === 0) return new Set();
	const log = readActionLog(doors, stateDir, WINDOW_EVENTS);
	if (log === null) return new Set();
	const eventsOf = windowEvents(log);
	const now = doors.clock.now();
	const held = marks.filter((mark) => {
		const { spawnAt, engagedDoneAt } = eventsOf(mark.window);
		const change = readPaneChange(doors.files, stateDir, mark.window);
		const changeAt = change?.at ?? null;
		return isMarked(mark, {
			spawnAt,
			engagedDoneAt,
			changeAt,
			now,
			changeTtlSeconds,
		});
	});
	return new Set(held.map((mark) => mark.window));
}
