/** What happens on the simulated machine, and when: drawn from a seed, or handed in. Data. */
import type { Random } from "../monitor/_sys/doors.ts";
import { fakeRandom } from "../tests/fakes/random.ts";
import {
	type Act,
	BAD_CONFIGS,
	GARBAGE,
	GITHUB_FAULTS,
	isFault,
	PROC_FAULTS,
	SERVICES,
	WORKERS,
} from "./act.ts";
import { MOST_LATE_MS } from "./lateness.ts";

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
	/** Timers of an idle watcher are at most so late, ms; without it always in time. */
	readonly lateMs?: number;
	readonly schedule: Schedule;
}

const HOUR_MS = 3_600_000;
/** Mean lengths of the stretches in which something happens, and of those in which nothing does. */
const BUSY_MS = 900_000;
const CALM_MS = 3_000_000;
/** Of the nights, so many have every timer in time. */
const PUNCTUAL = 1 / 12;

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
	"tmux-halves": 0.5,
	"disk-full": 0.2,
	"slow-disk": 0.2,
	garbage: 0.8,
	"bad-config": 0.2,
	"locks-fail": 0.2,
	"proc-fails": 0.5,
};
const TMUX_OPS: readonly [string, ...string[]] = [
	"panes",
	"captureAll",
	"capture",
	"exists",
	"paste-buffer",
	"send-keys",
	"load-buffer",
	"new-window",
];

/** A night of `hours`, always the same for one seed; some nights are calm, and in some everything breaks. */
export function drawNight(seed: number, hours: number): Night {
	const random = fakeRandom(seed);
	const storm = 0.2 + 4 * random.float() ** 2;
	const lateMs = random.float() < PUNCTUAL ? 0 : MOST_LATE_MS;
	const schedule: Happening[] = [];
	for (const { fromMs, toMs } of busyStretches(hours * HOUR_MS, random))
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
		lateMs,
		schedule: schedule.sort((a, b) => a.atMs - b.atMs),
	};
}

/** Between two events of a Poisson process. */
function gap(meanMs: number, random: Random): number {
	return -Math.log(1 - random.float()) * meanMs;
}

function busyStretches(nightMs: number, random: Random) {
	const stretches: { readonly fromMs: number; readonly toMs: number }[] = [];
	for (let fromMs = 0; fromMs < nightMs; ) {
		const toMs = Math.min(nightMs, fromMs + gap(BUSY_MS, random));
		stretches.push({ fromMs, toMs });
		fromMs = toMs + gap(CALM_MS, random);
	}
	return stretches;
}

function drawAct(name: string, random: Random): Act {
	const pick = <T>(of: readonly [T, ...T[]]): T =>
		of[Math.floor(random.float() * of.length)] ?? of[0];
	const upTo = (n: number) => 1 + Math.floor(random.float() * n);
	const who = pick(WORKERS);
	const anybody = random.float() < 0.4 ? "orchestrator" : who;
	switch (name as Act["do"]) {
		case "comment":
			return {
				do: "comment",
				by: random.float() < 0.7 ? "operator" : "stranger",
			};
		case "github-fails":
			return {
				do: "github-fails",
				how: pick(GITHUB_FAULTS),
				times: upTo(20),
			};
		case "turn":
			return { do: "turn", who, ms: upTo(600_000) };
		case "dialog":
			return {
				do: "dialog",
				who: anybody,
				kind: pick(["safe", "vetoed", "second-option", "question"]),
			};
		case "exits":
		case "closes-window":
			return { do: name as "exits", who: anybody };
		case "hangs":
			return anybody === "orchestrator"
				? { do: "hangs", ms: upTo(1_800_000) }
				: { do: "hangs", who: anybody, ms: upTo(1_800_000) };
		case "kill":
			return {
				do: "kill",
				calls: upTo(400),
				of: pick(["any", "changes"]),
				torn: random.float() < 0.3,
			};
		case "hits-limit":
			return { do: "hits-limit", who: anybody, hours: 1 + upTo(2) };
		case "steps-clock":
			return { do: "steps-clock", ms: (random.float() - 0.5) * 7_200_000 };
		case "suspends":
		case "stalls":
			return { do: name as "suspends", ms: upTo(8 * HOUR_MS) };
		case "tmux-fails":
			return drawTmuxFault(random, pick, upTo);
		case "disk-fails":
			return {
				do: "disk-fails",
				code: pick(["EIO", "ENOSPC", "EACCES"]),
				times: upTo(8),
			};
		case "read-only":
		case "slow-disk":
		case "locks-fail":
			return { do: name as "read-only", ms: upTo(600_000) };
		case "disk-full":
			return { do: "disk-full", bytes: upTo(5_000), ms: upTo(600_000) };
		case "garbage":
			return { do: "garbage", nth: upTo(10_000), how: pick(GARBAGE) };
		case "bad-config":
			return { do: "bad-config", how: pick(BAD_CONFIGS), ms: upTo(900_000) };
		case "proc-fails":
			return { do: "proc-fails", how: pick(PROC_FAULTS), ms: upTo(300_000) };
		case "tmux-halves":
			return { do: "tmux-halves", times: upTo(3) };
		case "webhook":
			return { do: "webhook", how: pick(["lost", "repeated"]) };
		case "crashes":
			return { do: "crashes", who: anybody };
		case "surprises":
			return {
				do: "surprises",
				who: anybody,
				with: pick(["dialog", "draft"]),
			};
		case "service-dies":
		case "service-sickens":
			return { do: name as "service-dies", which: pick(SERVICES) };
		case "service-hangs":
			return {
				do: "service-hangs",
				which: pick(SERVICES),
				ms: upTo(1_800_000),
			};
		case "report":
		case "question":
		case "bell":
		case "restarts":
		case "retires":
			return { do: name as "report", who };
		default:
			return { do: name as "types" };
	}
}

/** Only a client that was ended for hanging may have been heard, and only a listing can be empty. */
function drawTmuxFault(
	random: Random,
	pick: (of: readonly [string, ...string[]]) => string,
	upTo: (n: number) => number,
): Act {
	const op = pick(TMUX_OPS);
	const how = random.float() < 0.5 ? "hung" : "refused";
	const isEmpty = op === "panes" && random.float() < 0.3;
	return {
		do: "tmux-fails",
		op,
		how: isEmpty ? "zero-rows" : how,
		times: upTo(6),
		late: how === "hung" && !isEmpty && random.float() < 0.5,
	};
}
