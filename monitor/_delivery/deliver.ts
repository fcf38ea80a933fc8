/** The one confirmed-delivery primitive: text into a pane's box, and proof that it was sent (contract 04 §5.5). */
import { dropLeftover, writeLeftover } from "../_state/paste-leftover.ts";
import type { PaneRow } from "../_sys/doors.ts";
import { admit } from "./admit.ts";
import { asPasted } from "./as-pasted.ts";
import { clean } from "./clean.ts";
import { type Confirmed, confirm, type EvidenceSource } from "./confirm.ts";
import { provesCommand, provesDelivery } from "./evidence.ts";
import type { DeliveryDeps, DeliveryJob } from "./job.ts";
import { awaitOurText } from "./look.ts";
import { needleOf } from "./needle.ts";
import {
	DELIVER_RC,
	type DeliverResult,
	leavesTextBehind,
	type NoEnterReason,
} from "./outcome.ts";
import { type Pasted, pasteIntoBox, pressEnter } from "./submit.ts";
import { type TranscriptWatch, watchTranscript } from "./transcript.ts";

export interface DeliverRequest {
	/** Resolved from the window's name just now, under the paste lock. */
	readonly pane: PaneRow;
	/** Window name. */
	readonly window: string;
	/** File with the text; never modified. */
	readonly file: string;
	/** What a record must hold to be ours; default: the longest piece of plain ASCII in the text. */
	readonly needle?: string | null;
	/** Session id by pin, heartbeat or user-prompt; a live session file under the pane outranks it (contract 00 R6). */
	readonly sessionId: string | null;
	/** The text is one `/command` line: no guard in front of it. */
	readonly command?: boolean;
	/** The text stays in the box, for a person to send. */
	readonly noEnter?: boolean;
	/** Paste although a dialog is up; the Enter waits until it is gone (contract 04 §7, `--allow-blocked`). */
	readonly overDialog?: boolean;
	/** First part of the tmux buffer's name. Default `paste`. */
	readonly role?: string;
	/** A witness of the caller's own, besides the transcript: true once it saw the submission. */
	readonly alsoProves?: () => boolean;
	readonly signal?: AbortSignal;
}

/**
 * Delivers one file into one pane. The caller holds the window's paste lock. Never throws for what
 * tmux, the pane or the disk may do; every end has a name (`outcome`) and its rc. Takes 0.5 s when all
 * is well, up to some 20 s when nothing confirms; waits are on the monotonic clock.
 */
export async function deliver(
	deps: DeliveryDeps,
	request: DeliverRequest,
): Promise<DeliverResult> {
	const read = deps.doors.files.read(request.file);
	if (read.kind !== "ok") return refusedFile(`${request.file}: ${read.kind}`);
	const cleaned = clean(read.text, { command: request.command });
	if (cleaned.text.trim() === "") return refusedFile("nothing to paste");
	if (cleaned.removedBytes > 0)
		deps.doors.log.info(
			`paste window=${request.window} cleaned: ${cleaned.removedBytes} bytes removed`,
		);
	const { pane, command = false } = request;
	const job: DeliveryJob = {
		...deps,
		pane,
		window: request.window,
		payload: asPasted(cleaned.text, pane, command),
		command,
		overDialog: request.overDialog,
		role: request.role ?? "paste",
		signal: request.signal,
	};
	const { end, watch, sessionId } = await run(job, request);
	return {
		rc: DELIVER_RC[end.outcome],
		...end,
		cleanedBytes: cleaned.removedBytes,
		payload: cleaned.text,
		watch,
		sessionId,
	};
}

type Run = Pick<DeliverResult, "watch" | "sessionId"> & {
	readonly end: Confirmed;
};

async function run(job: DeliveryJob, request: DeliverRequest): Promise<Run> {
	const admission = await admit(job);
	if (admission.kind === "refused") {
		const { outcome, reason } = admission;
		return unsent({ outcome, reason, enterRetries: 0 });
	}
	const { files, proc } = job.doors;
	const sessionId = admission.sessionId ?? request.sessionId;
	const watch = watchTranscript(files, proc.env, sessionId);
	if (admission.kind === "paste") {
		// Written before the paste: a watcher that dies here leaves a text that its successor can finish.
		writeLeftover(files, job.stateDir, job.window, job.payload);
		const pasted = await pasteIntoBox(job);
		if (pasted.kind !== "sent") {
			forget(job);
			return unsent(notPasted(pasted));
		}
	}
	const pasted =
		admission.kind === "in-box" ? { ...job, payload: admission.payload } : job;
	if (request.noEnter) {
		// A later pass must not send what was not to be sent.
		forget(job);
		return { end: await seeInBox(pasted), watch, sessionId };
	}
	const end = await enterAndConfirm(pasted, evidenceOf(job, request, watch));
	if (!leavesTextBehind(end.outcome) && end.failStep === undefined) forget(job);
	return { end, watch, sessionId };
}

function unsent(end: Confirmed): Run {
	return { end, watch: null, sessionId: null };
}

async function enterAndConfirm(
	job: DeliveryJob,
	evidence: EvidenceSource,
): Promise<Confirmed> {
	const permit = await awaitOurText(job);
	if (permit.kind === "gone") return { outcome: "no-agent", enterRetries: 0 };
	if (permit.kind === "no") return notEntered(permit.reason);
	const entered = await pressEnter(job);
	if (entered.kind === "sent") return confirm(job, evidence);
	if (entered.kind === "aborted") return notEntered("aborted");
	return notPasted(entered);
}

/** Without an Enter the text in the box is all the evidence there is. */
async function seeInBox(job: DeliveryJob): Promise<Confirmed> {
	const seen = await awaitOurText(job);
	if (seen.kind === "gone") return { outcome: "no-agent", enterRetries: 0 };
	if (seen.kind === "no" && seen.reason !== "menu")
		return notEntered(seen.reason);
	return { outcome: "left-in-box", enterRetries: 0 };
}

function notEntered(reason: NoEnterReason): Confirmed {
	return { outcome: "blocked-after-paste", reason, enterRetries: 0 };
}

function notPasted(pasted: Exclude<Pasted, { kind: "sent" }>): Confirmed {
	switch (pasted.kind) {
		case "aborted":
			return { outcome: "aborted", enterRetries: 0 };
		case "dead":
			return { outcome: "dead-pane", enterRetries: 0 };
		case "unknown":
			return { outcome: "pane-unknown", enterRetries: 0 };
		case "failed":
			return {
				outcome: "tmux-failed",
				reason: pasted.why,
				enterRetries: 0,
				failStep: pasted.step,
			};
	}
}

function evidenceOf(
	job: DeliveryJob,
	request: DeliverRequest,
	watch: TranscriptWatch,
): EvidenceSource {
	const needle = request.needle ?? needleOf(job.payload);
	return {
		sight: watch,
		proof: () => {
			for (const record of watch().records) {
				const kind = job.command
					? provesCommand(record, job.payload)
					: provesDelivery(record, needle);
				if (kind !== null) return kind;
			}
			return request.alsoProves?.() ? "submission" : null;
		},
	};
}

function forget(job: DeliveryJob): void {
	dropLeftover(job.doors.files, job.stateDir, job.window);
}

function refusedFile(reason: string): DeliverResult {
	return {
		rc: DELIVER_RC["clean-failed"],
		outcome: "clean-failed",
		reason,
		enterRetries: 0,
		cleanedBytes: 0,
		payload: "",
		watch: null,
		sessionId: null,
	};
}
