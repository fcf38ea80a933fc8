/** What a soaked watcher took of the machine. Pure. */
import type { Row } from "./account.ts";
import type { Vitals } from "./ledger.ts";

/** A watcher needs about two minutes until its compiler has seen everything. */
const WARM_MS = 120_000;

/** Nothing to say of a soak that saw no watcher. */
export function costRows(vitals: readonly Vitals[]): readonly Row[] {
	const last = vitals.at(-1);
	const life = vitals.filter((v) => v.pid !== null && v.pid === last?.pid);
	const [first] = life;
	if (last === undefined || first === undefined) return [];
	const minutes = (last.at - first.at) / 60_000;
	const cpu = (last.cpuSeconds - first.cpuSeconds) / Math.max(minutes, 1 / 60);
	const warm = life.filter((v) => v.at - first.at > WARM_MS);
	const most = Math.max(...vitals.map((v) => v.pssMiB));
	return [
		{
			what: "last watcher: Pss MiB first, last; most of any",
			figure: `${first.pssMiB.toFixed(1)}, ${last.pssMiB.toFixed(1)}; ${most.toFixed(1)}`,
			isMissed: most > 160,
		},
		{
			what: "growth of its own pages when warm, MiB an hour",
			figure: slopeText(warm),
			isMissed: false,
		},
		{
			what: "CPU s a minute, with its children",
			figure: cpu.toFixed(2),
			isMissed: false,
		},
		{
			what: "files in the state dir first, last (KiB)",
			figure: `${vitals[0]?.files}, ${last.files} (${vitals[0]?.kiB}, ${last.kiB})`,
			isMissed: last.files > 5000,
		},
	];
}

/** Least squares, over five minutes at least; and the lowest of the first and of the last third: garbage that lies about looks like growth. */
function slopeText(warm: readonly Vitals[]): string {
	const [first, last] = [warm[0], warm.at(-1)];
	if (first === undefined || last === undefined || last.at - first.at < 300_000)
		return "too short a life to tell";
	const hours = warm.map((v) => (v.at - first.at) / 3_600_000);
	const mean = (list: readonly number[]) =>
		list.reduce((a, b) => a + b, 0) / list.length;
	const own = warm.map((v) => v.ownMiB);
	const [x, y] = [mean(hours), mean(own)];
	const over = warm.reduce(
		(sum, v, n) => sum + ((hours[n] ?? 0) - x) * (v.ownMiB - y),
		0,
	);
	const under = hours.reduce((sum, h) => sum + (h - x) ** 2, 0);
	const third = Math.ceil(own.length / 3);
	const low = Math.min(...own.slice(0, third));
	const lowAtLast = Math.min(...own.slice(-third));
	return `${(over / under).toFixed(1)} over ${((last.at - first.at) / 60_000).toFixed(0)} min; lowest ${low.toFixed(1)} at first, ${lowAtLast.toFixed(1)} at last`;
}
