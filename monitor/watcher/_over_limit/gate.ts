/** Reports are held while the orchestrator is seen to be over its limit (contract 04 §9.5). */
import type { EmitHold } from "../../_emit/providers.ts";
import { raise } from "../../_emit/self-heal.ts";
import {
	readLimitAlert,
	writeLimitAlert,
} from "../../_state/over-limit-alert.ts";
import { appendHeld } from "../../_state/over-limit-held.ts";
import { observedAt } from "../../_state/over-limit-observed.ts";
import {
	type LimitRow,
	ORCHESTRATOR_KEY,
	readLimitRows,
} from "../../_state/over-limit-state.ts";
import { ageSeconds } from "../../_sys/age.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { LimitSettings } from "./settings.ts";

/**
 * A row alone is only a prediction: gating on it once muted the orchestrator's channel for fifteen
 * hours. It counts while somebody has seen the limit not long ago.
 */
export function orchestratorPaused(
	row: LimitRow | null,
	observedAt: number | null,
	now: number,
	stalenessSeconds: number,
): boolean {
	const age = ageSeconds(now, observedAt, stalenessSeconds);
	return row !== null && age !== null && age <= stalenessSeconds;
}

/** Pure; epoch seconds. When the operator is to be told that reports are held. */
export function suppressionAlert(
	hold: { readonly since: number; readonly alertedAt: number | null },
	now: number,
	{ alertAfter, reminderEvery }: LimitSettings,
): "began" | "reminder" | null {
	if (alertAfter === 0 || now - hold.since < alertAfter) return null;
	if (hold.alertedAt === null || hold.alertedAt > now) return "began";
	return now - hold.alertedAt >= reminderEvery ? "reminder" : null;
}

/**
 * `paused` only while the limit was seen lately: a row whose pane nobody has looked at holds nothing. `record` also
 * alerts, at first and as a reminder.
 */
export function emitHold(
	doors: Doors,
	stateDir: string,
	settings: LimitSettings,
): EmitHold {
	const ownRow = (): LimitRow | null => {
		const read = readLimitRows(doors, stateDir);
		const rows = read.kind === "ok" ? read.rows : [];
		return rows.find((row) => row.key === ORCHESTRATOR_KEY) ?? null;
	};
	return {
		paused: (now) =>
			orchestratorPaused(
				ownRow(),
				observedAt(doors, stateDir, ORCHESTRATOR_KEY),
				now,
				settings.observationStaleness,
			),
		record: (archive, reason) => {
			appendHeld(doors, stateDir, { archive, reason });
			const row = ownRow();
			if (row === null) return;
			const now = doors.clock.now();
			const alertedAt = readLimitAlert(doors.files, stateDir);
			const hold = { since: row.firstSeen, alertedAt };
			const alert = suppressionAlert(hold, now, settings);
			if (alert === null) return;
			writeLimitAlert(doors.files, stateDir, now);
			raise(doors, stateDir, alertText(alert, row, now));
		},
	};
}

function alertText(
	alert: "began" | "reminder",
	row: LimitRow,
	now: number,
): string {
	const minutes = Math.floor((now - row.firstSeen) / 60);
	const since = `the orchestrator is over its usage limit since ${minutes}m (resets ${row.token})`;
	return alert === "began"
		? `reports are held: ${since}`
		: `reports are still held: ${since}`;
}
