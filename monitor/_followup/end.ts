/** How a follow-up ended, in the words and exit codes of contract 04 §7. Pure. */
import type { DeliverOutcome, DeliverResult } from "../_delivery/outcome.ts";

export interface FollowupEnd {
	readonly rc: 0 | 1 | 3 | 4;
	readonly outcome: string;
}

export interface EndFacts {
	readonly window: string;
	/** By the live session file, else by our own records; null: nobody knows. */
	readonly sessionBefore: string | null;
	readonly sessionAfter: string | null;
	/** It was a `/command`: one that opens a dialog, or does its work in silence, proves nothing. */
	readonly command: boolean;
}

/** Only a transcript that was read and stood still says "not submitted"; everything else is unconfirmed. */
export function followupEnd(
	result: Pick<
		DeliverResult,
		"outcome" | "reason" | "enterRetries" | "failStep"
	> | null,
	facts: EndFacts,
): FollowupEnd {
	if (result === null) return failed("no temporary file could be written");
	const { outcome, reason } = result;
	switch (outcome) {
		case "submitted":
			return { rc: 0, outcome: "submitted" };
		case "queued":
			return { rc: 0, outcome: "submitted (queued behind the running turn)" };
		case "submitted-after-retry":
		case "queued-after-retry":
			return { rc: 0, outcome: "submitted (after one Enter retry)" };
		case "left-in-box":
			return { rc: 0, outcome: "pasted (NOT submitted, --no-enter)" };
		case "clean-failed":
		case "aborted":
		case "no-agent":
		case "dead-pane":
		case "suspended":
		case "pane-unknown":
		case "blocked-before-paste":
		case "occupied-before-paste":
		case "unreadable-before-paste":
			return failed(reason === undefined ? outcome : `${outcome}: ${reason}`);
		case "tmux-failed":
			return result.failStep === "send-keys-enter"
				? notSubmitted("tmux refused the Enter")
				: failed(`tmux: ${reason ?? "failed"}`);
		case "blocked-after-paste":
			return reason === "unreadable"
				? unconfirmed("the input box cannot be read")
				: notSubmitted(WHY_NO_ENTER[reason ?? ""] ?? outcome);
		case "blocked":
			return facts.command
				? unconfirmed("a dialog is up, perhaps the command's own")
				: notSubmitted("a dialog came up");
		case "held":
			return notSubmitted("the box holds it");
		default:
			return withoutProof(outcome, facts);
	}
}

const WHY_NO_ENTER: Readonly<Record<string, string>> = {
	overlay: "a dialog came up",
	menu: "a completion menu is open",
	"not-ours": "the input box holds other text too",
};

function withoutProof(
	outcome: DeliverOutcome,
	{ window, sessionBefore, sessionAfter, command }: EndFacts,
): FollowupEnd {
	if (sessionBefore !== null && sessionAfter !== null)
		if (sessionBefore !== sessionAfter)
			return unconfirmed("the session is another one meanwhile");
	switch (outcome) {
		case "in-flight":
			return unconfirmed("the transcript grew without this text");
		case "undecidable-box":
			return unconfirmed("the input box cannot be decided");
		case "inert":
			return command
				? unconfirmed("the command left no record")
				: notSubmitted("nothing came of it");
		default:
			return unconfirmed(
				sessionBefore === null
					? `no session id: no heartbeat of ${window}`
					: `no transcript of session ${sessionBefore}`,
			);
	}
}

function failed(why: string): FollowupEnd {
	return { rc: 1, outcome: `not pasted (${why})` };
}

/** It may still be in the box; a second copy would stack on the first. */
function notSubmitted(why: string): FollowupEnd {
	return { rc: 4, outcome: `pasted (NOT submitted): ${why}` };
}

function unconfirmed(why: string): FollowupEnd {
	return { rc: 3, outcome: `pasted (submission unconfirmed: ${why})` };
}
