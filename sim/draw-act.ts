/** What exactly happens: the particulars of one act, drawn. */
import type { Random } from "../monitor/_sys/doors.ts";
import {
	type Act,
	BAD_CONFIGS,
	GARBAGE,
	GITHUB_FAULTS,
	PROC_FAULTS,
	SERVICES,
	WORKERS,
} from "./act.ts";

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

/** Of the acts of this name, one. */
export function drawAct(name: string, random: Random): Act {
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
			return { do: name as "suspends", ms: upTo(8 * 3_600_000) };
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
		case "job-hangs":
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
