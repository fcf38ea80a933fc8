/** What happens on the simulated machine, and when: drawn from a seed, or handed in. Data. */
import type { Random } from "../monitor/_sys/doors.ts";
import { fakeRandom } from "../tests/fakes/random.ts";

export const WORKERS = ["w0", "w1", "w2", "w3"] as const;
export type Worker = (typeof WORKERS)[number];

export type Act =
	/** A worker writes its report, the orchestrator's inbox gets a question or a request, a window rings. */
	| { readonly do: "report"; readonly who: Worker }
	| { readonly do: "question"; readonly who: Worker }
	| { readonly do: "request" }
	| { readonly do: "bell"; readonly who: Worker }
	| { readonly do: "comment"; readonly by: "operator" | "stranger" }
	| {
			readonly do: "github-fails";
			readonly how: (typeof GITHUB_FAULTS)[number];
			readonly times: number;
	  }
	/** The orchestrator deals with the oldest open question or request. */
	| { readonly do: "ack-question" }
	| { readonly do: "ack-request" }
	| { readonly do: "turn"; readonly who: Worker; readonly ms: number }
	/** A dialog opens, and a person closes it if nobody else did. */
	| {
			readonly do: "dialog";
			readonly who: Worker | "orchestrator";
			readonly kind: "safe" | "vetoed" | "second-option" | "question";
	  }
	| { readonly do: "closes-dialogs" }
	/** A person at the orchestrator's box. */
	| { readonly do: "types" }
	| { readonly do: "erases" }
	| { readonly do: "sends" }
	| { readonly do: "exits"; readonly who: Worker | "orchestrator" }
	| { readonly do: "closes-window"; readonly who: Worker | "orchestrator" }
	| { readonly do: "restarts"; readonly who: Worker }
	| { readonly do: "hangs"; readonly ms: number }
	/** SIGKILL before the n-th call from now: of any door, or of those that change the disk. */
	| {
			readonly do: "kill";
			readonly calls: number;
			readonly of: "any" | "changes";
	  }
	| { readonly do: "second-watcher" }
	| { readonly do: "steps-clock"; readonly ms: number }
	| { readonly do: "suspends"; readonly ms: number }
	| { readonly do: "stalls"; readonly ms: number }
	| {
			readonly do: "tmux-fails";
			readonly op: string;
			readonly how: "hung" | "refused" | "zero-rows";
			readonly times: number;
			/** It did what it was asked for; only the answer was lost. */
			readonly late: boolean;
	  }
	| { readonly do: "tmux-dies" }
	| {
			readonly do: "disk-fails";
			readonly code: "EIO" | "ENOSPC" | "EACCES";
			readonly times: number;
	  }
	| { readonly do: "read-only"; readonly ms: number };

export interface Happening {
	/** Since the start, ms. */
	readonly atMs: number;
	readonly act: Act;
}
export type Schedule = readonly Happening[];

const HOUR_MS = 3_600_000;

/** Mean number of each in an hour. */
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
	"second-watcher": 0.5,
	"steps-clock": 0.3,
	suspends: 0.2,
	stalls: 0.3,
	"tmux-fails": 2,
	"tmux-dies": 0.1,
	"disk-fails": 1,
	"read-only": 0.2,
};
export const GITHUB_FAULTS = [
	"primary",
	"secondary",
	"abuse-page",
	"unauthorized",
	"server",
	"truncated",
	"stalled-body",
	"no-answer",
	"empty",
] as const;
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

/** A night of `hours`, always the same for one seed. */
export function drawSchedule(seed: number, hours: number): Schedule {
	const random = fakeRandom(seed);
	const night: Happening[] = [];
	for (const [name, rate] of Object.entries(RATES)) {
		let at = 0;
		for (;;) {
			// Poisson: the gaps are exponential.
			at += (-Math.log(1 - random.float()) / rate) * HOUR_MS;
			if (at >= hours * HOUR_MS) break;
			night.push({ atMs: Math.floor(at), act: drawAct(name, random) });
		}
	}
	return night.sort((a, b) => a.atMs - b.atMs);
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
			return { do: "hangs", ms: upTo(1_800_000) };
		case "kill":
			return { do: "kill", calls: upTo(400), of: pick(["any", "changes"]) };
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
			return { do: "read-only", ms: upTo(600_000) };
		case "report":
		case "question":
		case "bell":
		case "restarts":
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
		...{ do: "tmux-fails", op, how: isEmpty ? "zero-rows" : how },
		times: upTo(6),
		late: how === "hung" && !isEmpty && random.float() < 0.5,
	};
}
