/** `over_limit_scan`: which panes a usage limit holds (contract 04 §9.4). */
import type { SweptPane } from "../../_pane/sweep.ts";
import { isWorkerName, type WorkerRules } from "../../_pane/workers.ts";
import { dropLimitAlert } from "../../_state/over-limit-alert.ts";
import { startHeldLog } from "../../_state/over-limit-held.ts";
import { resumedAt } from "../../_state/over-limit-liveness.ts";
import { writeObserved } from "../../_state/over-limit-observed.ts";
import {
	type LimitRow,
	limitKey,
	updateLimitRows,
} from "../../_state/over-limit-state.ts";
import type { Doors } from "../../_sys/doors.ts";
import { type LimitSighting, recordLimit } from "./record.ts";
import type { LimitSettings } from "./settings.ts";

/** A pane that may be held. */
export interface HeldPane {
	readonly pane: SweptPane;
	readonly role: LimitRow["role"];
}

export interface ScanPlace {
	readonly stateDir: string;
	readonly settings: LimitSettings;
}

/** The target's pane and every worker's, one a window. */
export function candidates(
	panes: readonly SweptPane[],
	rules: WorkerRules,
): readonly HeldPane[] {
	const byName = new Map<string, HeldPane>();
	for (const pane of panes) {
		const { windowName: name, paneDead } = pane.row;
		const isTarget = name === rules.target;
		if (!isTarget && !isWorkerName(name, rules)) continue;
		if (paneDead === "1" || byName.has(name)) continue;
		byName.set(name, { pane, role: isTarget ? "orchestrator" : "worker" });
	}
	return [...byName.values()];
}

/** States that say nothing of a limit: nobody could look, or nothing was drawn yet. */
const SILENT: ReadonlySet<string> = new Set(["unknown", "empty"]);

/** A state that says nothing of a limit leaves its row. */
export function scanPanes(
	doors: Doors,
	place: ScanPlace,
	panes: readonly HeldPane[],
): void {
	for (const { pane, role } of panes) {
		const { answer } = pane.verdict;
		const window = pane.row.windowName;
		if (answer.state === "over-limit") {
			const token = answer.limit?.resetAt ?? "unknown";
			record(doors, place, { window, role, token });
		} else if (!SILENT.has(answer.state))
			release(doors, place, limitKey(window, role), answer.state);
	}
}

/** The only writer of an observation. */
function record(
	doors: Doors,
	{ stateDir, settings }: ScanPlace,
	seen: LimitSighting,
): void {
	const now = doors.clock.now();
	const key = limitKey(seen.window, seen.role);
	updateLimitRows(doors, stateDir, (rows) => {
		const prev = rows.find((row) => row.key === key) ?? null;
		const recorded = recordLimit(prev, seen, {
			now,
			resumedAt: resumedAt(doors, stateDir, key),
			wakeMarginSeconds: settings.wakeMargin,
			resumeSuppressionSeconds: settings.resumeSuppression,
		});
		if (recorded.kind === "suppressed") {
			doors.log.info(`over-limit ${key}: resumed just now, notice ignored`);
			return rows;
		}
		const { row, isNew } = recorded;
		if (isNew) {
			doors.log.info(
				`over-limit ${key}: held (resets ${row.token}), looked after again at ${row.nextAttempt}`,
			);
			if (seen.role === "orchestrator") startHold(doors, stateDir);
		}
		writeObserved(doors, stateDir, { key, at: now });
		return row === prev ? rows : [...rows.filter((r) => r.key !== key), row];
	});
}

function startHold(doors: Doors, stateDir: string): void {
	startHeldLog(doors, stateDir);
	dropLimitAlert(doors.files, stateDir);
}

/** Seen to be something else: the hold is over, whatever the clock was expected to say. */
function release(
	doors: Doors,
	{ stateDir }: ScanPlace,
	key: string,
	state: string,
): void {
	const now = doors.clock.now();
	updateLimitRows(doors, stateDir, (rows) => {
		const held = rows.find((row) => row.key === key && row.nextAttempt > now);
		if (held === undefined) return rows;
		doors.log.info(`over-limit ${key}: seen as ${state}, looked after now`);
		return rows.map((row) =>
			row === held ? { ...row, nextAttempt: now } : row,
		);
	});
}
