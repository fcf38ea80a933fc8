/** May this pane be pasted into now? (contract 04 §5.5 step 2). Doubt never pastes. */
import type { LookResult } from "../_pane/types.ts";
import { dropLeftover, readLeftover } from "../_state/paste-leftover.ts";
import type { DeliveryJob } from "./job.ts";
import { finishLeftover } from "./leftover.ts";
import { mayPressEnter } from "./look.ts";
import type { DeliverOutcome } from "./outcome.ts";
import { boxIsClear, verdictOf } from "./verdict.ts";

/** `in-box`: an earlier try left this very payload there, so pasted; it wants its Enter, not a second copy. */
export type Admission =
	| { readonly kind: "paste"; readonly sessionId: string | null }
	| {
			readonly kind: "in-box";
			readonly sessionId: string | null;
			readonly payload: string;
	  }
	| {
			readonly kind: "refused";
			readonly outcome: DeliverOutcome;
			readonly reason?: string;
	  };

/** One decision on one look. `wait`: look again, and refuse so when time is up. */
export type AdmissionStep =
	| Admission
	| { readonly kind: "wait"; readonly refusal: Admission }
	| { readonly kind: "finish-leftover" };

/**
 * Looks until the pane may be pasted into, or refuses. A leftover of ours in the box gets its one
 * Enter first; a pane that cannot be read is looked at again for `unreadableLimitMs`.
 */
export async function admit(job: DeliveryJob): Promise<Admission> {
	const { clock, files } = job.doors;
	let end = clock.monoMs() + job.timings.unreadableLimitMs;
	let finished = false;
	for (;;) {
		if (job.signal?.aborted) return refused("aborted");
		const seen = await job.lookAt(job.pane, job.signal);
		const leftover = readLeftover(files, job.stateDir, job.window);
		const step = decideAdmission(seen, { leftover, finished }, job);
		if (step.kind === "paste" && leftover !== null)
			dropLeftover(files, job.stateDir, job.window);
		if (step.kind === "finish-leftover") {
			const done = await finishLeftover(job, seen);
			if (done === "kept") return refused("occupied-before-paste");
			finished ||= done === "submitted";
			end = clock.monoMs() + job.timings.unreadableLimitMs;
		} else if (step.kind !== "wait") return step;
		else if (clock.monoMs() >= end) return step.refusal;
		await clock.sleep(job.timings.unreadableMs, job.signal);
	}
}

/**
 * Pure. `finished`: the leftover got its Enter in this call already. A box with a leftover's memory
 * must be seen empty; without one a running turn that shows no box will do.
 */
function decideAdmission(
	seen: LookResult,
	past: { readonly leftover: string | null; readonly finished: boolean },
	{ payload, overDialog = false }: Pick<DeliveryJob, "payload" | "overDialog">,
): AdmissionStep {
	const { leftover } = past;
	const verdict = verdictOf(seen, "before-paste");
	const sessionId = seen.kind === "ok" ? seen.look.sessionId : null;
	switch (verdict) {
		case "blocked":
			if (overDialog && isBareDialog(seen)) return { kind: "paste", sessionId };
			return refused("blocked-before-paste", whatBlocks(seen));
		case "gone":
			return refused("no-agent");
		case "unknown":
			return wait(whyUnread(seen));
		case "held":
		case "draft": {
			const ours =
				leftover !== null && mayPressEnter(seen, leftover).kind === "yes";
			if (!ours) return refused("occupied-before-paste");
			if (leftover.trimEnd() === payload.trimEnd())
				return { kind: "in-box", sessionId, payload: leftover };
			// Its Enter was pressed; give the box a moment to empty.
			return past.finished
				? wait("occupied-before-paste")
				: { kind: "finish-leftover" };
		}
		case "queued":
		case "clear":
			if (leftover === null) return { kind: "paste", sessionId };
			return boxIsClear(seen)
				? { kind: "paste", sessionId }
				: wait("unreadable-before-paste");
	}
}

/** Another program, or one that stands still: that is the pane's fault, not that of who looks. */
function whyUnread(seen: LookResult): DeliverOutcome {
	if (seen.kind === "unreadable" && seen.isForeign) return "no-agent";
	if (seen.kind === "unreadable" && seen.isStopped) return "suspended";
	return "unreadable-before-paste";
}

/** No menu, and no box in which somebody typed. */
function isBareDialog(seen: LookResult): boolean {
	if (seen.kind !== "ok" || seen.look.menu) return false;
	return seen.look.input !== "typed" && seen.look.input !== "?";
}

function whatBlocks(seen: LookResult): string {
	if (seen.kind !== "ok") return "unreadable";
	return seen.look.overlay ?? (seen.look.menu ? "menu" : "overlay");
}

function refused(outcome: DeliverOutcome, reason?: string): Admission {
	return { kind: "refused", outcome, reason };
}

function wait(outcome: DeliverOutcome): AdmissionStep {
	return { kind: "wait", refusal: refused(outcome) };
}
