/** Which reports go to the archive: pure (contract 01 §21, 06 §14). */

export interface ReportFile {
	readonly name: string;
	/** As written: `2026-03-14`, maybe no day at all (`2026-13-40`); null when the report names none. */
	readonly date: string | null;
	/** Seconds since the last change; null when its stamp cannot be believed. */
	readonly ageSeconds: number | null;
}

export interface RollPlan {
	/** `month` is the folder, `2026-03`. */
	readonly rolls: readonly { readonly name: string; readonly month: string }[];
	/** Of this month or the last. */
	readonly kept: readonly string[];
	/** Without a date that can be: left where they are. */
	readonly quarantined: readonly string[];
	/** Due, but changed a moment ago: somebody is writing. */
	readonly inFlight: readonly ReportFile[];
	/** The two months that stay: the last one and this one. */
	readonly buffer: readonly [string, string];
}

/** A report rolls when its month is before the last one. `today` is `YYYY-MM-DD`, local; `minAge` in seconds. */
export function planRoll(
	files: readonly ReportFile[],
	today: string,
	minAge: number,
): RollPlan {
	const current = today.slice(0, 7);
	const previous = monthBefore(current);
	const rolls: { name: string; month: string }[] = [];
	const kept: string[] = [];
	const quarantined: string[] = [];
	const inFlight: ReportFile[] = [];
	for (const file of files) {
		const month = monthOf(file.date);
		if (month === null) quarantined.push(file.name);
		else if (month >= previous) kept.push(file.name);
		else if (file.ageSeconds !== null && file.ageSeconds < minAge)
			inFlight.push(file);
		else rolls.push({ name: file.name, month });
	}
	return { rolls, kept, quarantined, inFlight, buffer: [previous, current] };
}

/** `2026-01` → `2025-12`. */
export function monthBefore(month: string): string {
	const year = Number(month.slice(0, 4));
	const before = Number(month.slice(5, 7)) - 1;
	return before === 0
		? `${String(year - 1).padStart(4, "0")}-12`
		: `${month.slice(0, 4)}-${String(before).padStart(2, "0")}`;
}

/** Month 1 to 12 and day 1 to 31 make a date. */
function monthOf(date: string | null): string | null {
	if (date === null) return null;
	const month = Number(date.slice(5, 7));
	const day = Number(date.slice(8, 10));
	const real = month >= 1 && month <= 12 && day >= 1 && day <= 31;
	return real ? date.slice(0, 7) : null;
}
