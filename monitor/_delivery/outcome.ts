/** How a delivery ended (contract 04 §5.5). */
import type { TranscriptWatch } from "./transcript.ts";

/** 0 delivered · 1 a step of ours failed · 3 cannot tell · 4 not delivered · 5 no live pane or agent, or one that stands still · 6 liveness unknown. */
export type DeliverRc = 0 | 1 | 3 | 4 | 5 | 6;

/** The one mapping of outcomes to rc. */
export const DELIVER_RC = {
	submitted: 0,
	"submitted-after-retry": 0,
	queued: 0,
	"queued-after-retry": 0,
	/** No Enter was asked for. */
	"left-in-box": 0,
	"clean-failed": 1,
	"tmux-failed": 1,
	/** The caller's signal came before anything was pasted. */
	aborted: 1,
	"undecidable-box": 3,
	unverifiable: 3,
	"in-flight": 3,
	"blocked-before-paste": 4,
	"occupied-before-paste": 4,
	"unreadable-before-paste": 4,
	"blocked-after-paste": 4,
	blocked: 4,
	held: 4,
	inert: 4,
	"no-agent": 5,
	"dead-pane": 5,
	suspended: 5,
	"pane-unknown": 6,
} as const satisfies Record<string, DeliverRc>;

export type DeliverOutcome = keyof typeof DELIVER_RC;

/** The tmux call that failed. */
export type FailStep =
	| "send-keys-insert"
	| "load-buffer"
	| "paste"
	| "send-keys-enter";

/** Why no Enter was pressed. */
export type NoEnterReason =
	| "overlay"
	| "menu"
	| "not-ours"
	| "unreadable"
	| "aborted";

export interface DeliverResult {
	readonly rc: DeliverRc;
	readonly outcome: DeliverOutcome;
	/** Of the outcomes that have one: why no Enter was pressed, or what was refused. */
	readonly reason?: string;
	/** Enters after the first. */
	readonly enterRetries: number;
	readonly failStep?: FailStep;
	/** Bytes that the cleaning took out. */
	readonly cleanedBytes: number;
	/** What was delivered, for the callers' own checks; empty when the file could not be read. */
	readonly payload: string;
	/** What the transcript says since before the paste; null when nothing was pasted. */
	readonly watch: TranscriptWatch | null;
	/** Whose transcript that is; null: nobody could name the session, or nothing was pasted. */
	readonly sessionId: string | null;
}

/** The text may be in the box, unsent: it is remembered, so that a later pass can finish it. */
export function leavesTextBehind(outcome: DeliverOutcome): boolean {
	return LEFT_BEHIND.has(outcome);
}

const LEFT_BEHIND: ReadonlySet<DeliverOutcome> = new Set([
	"blocked-after-paste",
	"held",
	"blocked",
	"undecidable-box",
]);
