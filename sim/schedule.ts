/** What happens on the simulated machine, and when: drawn from a seed, or handed in. Data. */
import type { Random } from "../monitor/_sys/doors.ts";
import { fakeRandom } from "../tests/fakes/random.ts";
import { type Act, isFault } from "./act.ts";
import { drawAct } from "./draw-act.ts";

export interface Happening {
	/** Since the start, ms. */
	readonly atMs: number;
	readonly act: Act;
}
export type Schedule = readonly Happening[];

/** Everything that decides how a night goes. */
export interface Night {
	/** Of the machine's own dice: ids, lengths of turns, how late a timer is. */
	readonly seed: number;
	/** Timers of an idle watcher come as late as they may (lateness.ts); without it always in time. */
	readonly isLate?: boolean;
	/** `monitor.scheduler.max_sleep_seconds`; without it the product's own. */
	readonly maxSleepSeconds?: number;
	readonly schedule: Schedule;
}

const HOUR_MS = 3_600_000;
/** Mean length of the stretches in which something happens, hours. */
const BUSY_HOURS = 0.25;
interface Kind {
	readonly weight: number;
	readonly isLate: boolean;
	readonly maxSleepSeconds: number;
	/** Of the hours that were asked for. */
	readonly part: number;
	/** Mean length of the stretches in which nothing happens. */
	readonly calmHours: number;
}
/** Long silences, in which hardly anybody looks. */
const WEEK: Kind = {
	weight: 6,
	isLate: true,
	maxSleepSeconds: 3600,
	part: 1,
	calmHours: 24,
};
const WEEKEND: Kind = {
	weight: 2,
	isLate: true,
	maxSleepSeconds: 1800,
	part: 2 / 7,
	calmHours: 12,
};
/** What nights there are. What an hour costs differs so much that they do not last as long. */
const KINDS: readonly Kind[] = [
	{
		weight: 1,
		isLate: false,
		maxSleepSeconds: 10,
		part: 1 / 672,
		calmHours: 2,
	},
	{ weight: 2, isLate: true, maxSleepSeconds: 10, part: 1 / 28, calmHours: 2 },
	{ weight: 2, isLate: true, maxSleepSeconds: 60, part: 1 / 14, calmHours: 2 },
	{ weight: 3, isLate: true, maxSleepSeconds: 300, part: 1 / 7, calmHours: 4 },
	{ weight: 2, isLate: true, maxSleepSeconds: 600, part: 1 / 7, calmHours: 4 },
	WEEKEND,
	WEEK,
];
/** Mean number of each in a busy hour. */
const RATES: Readonly<Record<Act["do"], number>> = {
	report: 6,
	question: 3,
	request: 3,
	bell: 4,
	comment: 4,
	"github-fails": 2,
	"ack-question": 4,
	"ack-request": 4,
	turn: 12,
	dialog: 4,
	"closes-dialogs": 3,
	types: 3,
	erases: 3,
	sends: 2,
	exits: 0.5,
	"closes-window": 0.5,
	restarts: 1,
	hangs: 0.2,
	kill: 1.5,
	"power-cut": 0.15,
	"hits-limit": 0.15,
	"second-watcher": 0.5,
	"steps-clock": 0.3,
	suspends: 0.2,
	stalls: 0.3,
	"tmux-fails": 2,
	"tmux-dies": 0.1,
	"disk-fails": 1,
	"read-only": 0.2,
	retires: 0.7,
	webhook: 0.8,
	crashes: 0.5,
	surprises: 1.5,
	"service-dies": 0.6,
	"service-sickens": 0.3,
	"service-hangs": 0.3,
	"job-hangs": 0.3,
	"tmux-halves": 0.5,
	"disk-full": 0.2,
	"slow-disk": 0.2,
	garbage: 0.8,
	"bad-config": 0.2,
	"locks-fail": 0.2,
	"proc-fails": 0.5,
};
/** A night of at most `hours`. Always the same for one seed; some are calm, and in some everything breaks. */
export function drawNight(seed: number, hours: number): Night {
	const random = fakeRandom(seed);
	const { isLate, maxSleepSeconds, part, calmHours } = drawKind(random);
	const nightMs = part * hours * HOUR_MS;
	const calmMs = calmHours * HOUR_MS;
	const storm = 0.2 + 4 * random.float() ** 2;
	const schedule: Happening[] = [];
	for (const { fromMs, toMs } of busyStretches(nightMs, calmMs, random))
		for (const [name, rate] of Object.entries(RATES)) {
			const often = isFault({ do: name } as Act) ? rate * storm : rate;
			let at = fromMs;
			for (;;) {
				at += gap(HOUR_MS / often, random);
				if (at >= toMs) break;
				schedule.push({ atMs: Math.floor(at), act: drawAct(name, random) });
			}
		}
	return {
		seed,
		isLate,
		maxSleepSeconds,
		schedule: schedule.sort((a, b) => a.atMs - b.atMs),
	};
}

/** How long the night of a seed is, hours. */
export function nightHours(seed: number, hours: number): number {
	return drawKind(fakeRandom(seed)).part * hours;
}

function drawKind(random: Random): Kind {
	const lots = KINDS.flatMap((kind) => Array(kind.weight).fill(kind));
	return lots[Math.floor(random.float() * lots.length)] ?? WEEK;
}

/** Between two events of a Poisson process. */
function gap(meanMs: number, random: Random): number {
	return -Math.log(1 - random.float()) * meanMs;
}

function busyStretches(nightMs: number, calmMs: number, random: Random) {
	const stretches: { readonly fromMs: number; readonly toMs: number }[] = [];
	for (let fromMs = 0; fromMs < nightMs; ) {
		const toMs = Math.min(nightMs, fromMs + gap(BUSY_HOURS * HOUR_MS, random));
		stretches.push({ fromMs, toMs });
		fromMs = toMs + gap(calmMs, random);
	}
	return stretches;
}
