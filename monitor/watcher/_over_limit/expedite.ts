/** Something proved that a usage limit is over: all holds are looked after now (contract 04 §9.6, 00 decision 7). */
import { releaseOverLimitStamp } from "../../_state/over-limit-stamp.ts";
import { updateLimitRows } from "../../_state/over-limit-state.ts";
import type { Doors } from "../../_sys/doors.ts";

/** Returns how many rows changed. Another account's login makes the stamps history, and one more look decides. */
export function expediteAll(
	doors: Pick<Doors, "clock" | "files" | "log">,
	stateDir: string,
	source: string,
	maxAttempts: number,
): number {
	const now = doors.clock.now();
	const isOtherAccount = source === "credential-change";
	let changed = 0;
	updateLimitRows(doors, stateDir, (rows) => {
		const next = rows.map((row) => {
			if (isOtherAccount)
				releaseOverLimitStamp(doors.files, stateDir, row.window, now);
			const attempts = isOtherAccount ? maxAttempts - 1 : row.attempts;
			const nextAttempt = Math.min(row.nextAttempt, now);
			if (attempts === row.attempts && nextAttempt === row.nextAttempt)
				return row;
			changed++;
			return { ...row, attempts, nextAttempt };
		});
		return changed > 0 ? next : rows;
	});
	return changed;
}
