/** How typing into a pane ended, as the exit codes of the kit (contract 09 §6.5). Pure. */
import type { SendVerdict } from "./fleet.ts";
import type { KeysEnd, TextEnd } from "./hands.ts";

const VERDICTS = [
	"delivered",
	"error",
	"usage",
	"withheld",
	"unknown",
] as const;

/** 0 done · 1 it failed · 2 usage · 3 withheld · 4 nobody knows. */
export function verdict(
	exitCode: SendVerdict["exitCode"],
	detail: string,
): SendVerdict {
	return { exitCode, verdict: VERDICTS[exitCode], detail };
}

/** The one mapping of a delivery's outcome. After 3 or 4 the caller sends no Enter and no copy. */
export function textVerdict(end: TextEnd): SendVerdict {
	const { outcome, reason } = end;
	const detail = reason === undefined ? outcome : `${outcome}: ${reason}`;
	switch (outcome) {
		case "submitted":
		case "submitted-after-retry":
		case "queued":
		case "queued-after-retry":
			return verdict(0, detail);
		case "no-agent":
		case "dead-pane":
		case "clean-failed":
		case "aborted":
			return verdict(1, detail);
		case "tmux-failed":
			return verdict(end.failStep === "send-keys-enter" ? 4 : 1, detail);
		case "busy":
		case "blocked-before-paste":
		case "occupied-before-paste":
			return verdict(3, `${detail} (nothing typed)`);
		case "blocked-after-paste":
			return verdict(3, `${detail} (Enter withheld)`);
		case "pane-unknown":
		case "suspended":
		case "unreadable-before-paste":
			return verdict(4, `${detail} (nothing typed)`);
		default:
			return verdict(4, `${detail} (typed, not proven)`);
	}
}

/** The detail names the keys that were sent, for a sequence may end in the middle. */
export function keysVerdict(end: KeysEnd): SendVerdict {
	const sent =
		end.sent.length === 0 ? "nothing sent" : `sent ${end.sent.join(",")}`;
	switch (end.kind) {
		case "sent":
			return verdict(0, sent);
		case "withheld":
			return verdict(3, `${end.why} (${sent})`);
		case "unknown":
			return verdict(4, `${end.why} (${sent})`);
		case "gone":
		case "failed":
			return verdict(1, `${end.why} (${sent})`);
	}
}
