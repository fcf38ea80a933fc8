/**
 * Does this hand-off need a reviewer, and may it go on (contract 08 §7, 05 §8.2 step 0b)? Pure. A refusal is how a worker
 * learns of the question: its prompt says nothing of it, so that nobody works towards a review.
 */
import type { SkepticRecord } from "../../_state/window-provenance.ts";
import type { ReviewArguments, Verdict } from "./review-arguments.ts";

export interface ReviewFacts {
	readonly asked: ReviewArguments;
	/** The caller's; null: outside tmux. */
	readonly window: string | null;
	/** How the caller's window was started; null: by the operator, or outside tmux. */
	readonly record: SkepticRecord | null;
	/** An earlier hand-off of this window asked for a review that is not over. */
	readonly isRoundOpen: boolean;
	/** Rounds that the work under review has had since its window was started. */
	readonly rounds: number;
	/** `monitor.skeptic.enforce_auto_decision`. */
	readonly enforceAuto: boolean;
	/** `monitor.skeptic.rewrap_guard`. */
	readonly rewrapGuard: boolean;
	/** `monitor.skeptic.findings_threshold`. */
	readonly threshold: number;
	/** `monitor.skeptic.max_depth`. */
	readonly maxDepth: number;
}

export type ReviewPlan =
	| { readonly kind: "none" }
	| { readonly kind: "refused"; readonly why: string }
	/** Nobody shall look; the reason goes on record. */
	| { readonly kind: "declined"; readonly reason: string }
	| {
			readonly kind: "wanted";
			readonly depth: number;
			/** The worker chose it; else it was ordered. */
			readonly deliberate: boolean;
			readonly rationale: string;
	  }
	| {
			readonly kind: "verdict";
			readonly verdict: Verdict;
			readonly target: string;
			readonly orig: string;
			readonly depth: number;
			readonly findings: number;
			readonly contradicted: number;
			/** Nothing was found that calls for another round, or there may be none. */
			readonly closes: boolean;
	  };

/** A reviewer owes a verdict; anybody else may be asked for a decision. */
export function decideReview(f: ReviewFacts): ReviewPlan {
	const { asked, record } = f;
	return asked.role || record?.role === true
		? reviewerPlan(f)
		: workerPlan(f, record);
}

function reviewerPlan({
	asked,
	window,
	record,
	rounds,
	threshold,
	maxDepth,
}: ReviewFacts): ReviewPlan {
	const target = asked.target || record?.target || "";
	const { verdict, findings } = asked;
	if (asked.decision !== null)
		return refused("a reviewer gives a verdict, not a --skeptic-decision");
	if (target === "")
		return refused("--skeptic-target is missing: the window that was reviewed");
	const orig = asked.orig || record?.orig || target;
	if (window === target || window === orig)
		return refused("a verdict on one's own work is none");
	if (verdict === null || findings === null)
		return refused(
			"a reviewer's hand-off needs --skeptic-verdict confirmed|partial|refuted and --skeptic-findings <n>",
		);
	const contradicted = asked.contradicted ?? 0;
	if (contradicted > findings)
		return refused("--skeptic-contradicted counts some of the findings");
	// A reviewer that was started without its depth must still be able to end the last round.
	const depth = Math.max(asked.depth ?? record?.depth ?? 1, rounds);
	return {
		kind: "verdict",
		verdict,
		target,
		orig,
		depth,
		findings,
		contradicted,
		closes: findings < threshold || depth >= maxDepth,
	};
}

function workerPlan(f: ReviewFacts, record: SkepticRecord | null): ReviewPlan {
	const { asked } = f;
	const { decision, rationale, waive } = asked;
	if (asked.verdict !== null || asked.findings !== null || asked.target !== "")
		return refused("a verdict is a reviewer's: --skeptic-role is missing");
	const mode = record?.mode ?? "auto";
	if (mode === "deny")
		return decision === "yes"
			? refused("this window was started without a review (--skeptic deny)")
			: { kind: "none" };
	if (decision !== null && rationale === "" && waive === "")
		return refused("--skeptic-decision needs a --skeptic-rationale");
	if (mode === "require" && waive !== "")
		return { kind: "declined", reason: `waived: ${waive}` };
	if (mode === "require" && decision === "no")
		return refused(
			"a review was ordered for this window; --skeptic-waive <reason> goes on record",
		);
	if (mode === "auto" && decision === null)
		return record !== null && f.enforceAuto
			? refused(UNDECIDED)
			: { kind: "none" };
	if (decision === "no") return { kind: "declined", reason: rationale };
	return wanted(f, Math.max(asked.depth ?? record?.depth ?? 0, f.rounds) + 1);
}

function wanted(f: ReviewFacts, depth: number): ReviewPlan {
	const { decision, rationale, newRound } = f.asked;
	if (f.isRoundOpen && !newRound)
		return f.rewrapGuard
			? refused(
					"the review of this window is not over: answer its questions (ng skeptic await), or open another round with --skeptic-new-round",
				)
			: { kind: "none" };
	if (depth > f.maxDepth)
		return {
			kind: "declined",
			reason: `there were ${f.maxDepth} rounds already`,
		};
	return { kind: "wanted", depth, deliberate: decision === "yes", rationale };
}

const UNDECIDED = [
	"say whether somebody else shall check this work, and why:",
	"  --skeptic-decision no --skeptic-rationale '<why its result can be trusted as it is>'",
	"  --skeptic-decision yes --skeptic-rationale '<what could be wrong, and how to find out>'",
	"yes, when a wrong result would cost much, or cannot be seen from the report alone",
].join("\n");

function refused(why: string): ReviewPlan {
	return { kind: "refused", why };
}
