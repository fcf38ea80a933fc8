/** Is the operator at work in this window himself? Then it is not released by a wrap-up (contract 05 §8.5). */
import { readActionLog } from "../../_state/action-log.ts";
import {
	isMarked,
	readOperatorEngaged,
} from "../../_state/operator-engaged.ts";
import { readPaneChange } from "../../_state/pane-change.ts";
import { WINDOW_EVENTS, windowEvents } from "../../_state/window-events.ts";
import type { NgHub } from "../hub.ts";
import type { NgContext } from "../verb.ts";

/** Empty: it is nobody's, or nobody can tell. */
export function engagementNote(
	window: string,
	{ settings, stateDir }: NgHub,
	{ doors }: NgContext,
): readonly string[] {
	const read = readOperatorEngaged(doors, stateDir);
	const mark =
		read.kind === "ok"
			? read.rows.findLast((row) => row.window === window)
			: undefined;
	if (mark === undefined) return [];
	const log = readActionLog(doors, stateDir, WINDOW_EVENTS);
	const { spawnAt, engagedDoneAt } = windowEvents(log ?? [])(window);
	const holds = isMarked(mark, {
		spawnAt,
		engagedDoneAt,
		now: doors.clock.now(),
		changeAt: readPaneChange(doors.files, stateDir, window)?.at ?? null,
		changeTtlSeconds:
			settings.config["monitor.operator_engaged_change_ttl_seconds"],
	});
	return holds
		? [
				"",
				`note: the operator is engaged in ${window}; it stays so by default. When that is finished: ng engaged-done`,
			]
		: [];
}
