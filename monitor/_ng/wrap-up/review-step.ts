/** Carries out what the review gate decided (contract 08 §6.5, §7). */
import { rawOf } from "../../_state/request-document.ts";
import { fileRequest } from "../../_state/request-filing.ts";
import { inboxOf } from "../../_state/requests-dir.ts";
import { openReviewRequests, originOf } from "../../_state/review-requests.ts";
import {
	skepticChannelDir,
	skepticPendingPath,
	writeSkepticPending,
} from "../../_state/skeptic.ts";
import {
	askQuestion,
	closeReview,
	listQuestions,
} from "../../_state/skeptic-channel.ts";
import { readProvenance } from "../../_state/window-provenance.ts";
import type { Files } from "../../_sys/doors.ts";
import type { NgContext } from "../verb.ts";
import type { Prepared } from "./prepare.ts";
import type { ReviewPlan } from "./review-gate.ts";

export type Reviewed =
	| { readonly kind: "none" }
	/** Words for the summary, and fields for the event. */
	| {
			readonly kind: "ok";
			readonly line: string;
			readonly fields: readonly (readonly [string, string])[];
	  }
	| { readonly kind: "failed"; readonly why: string };

export interface ReviewedWork {
	readonly window: string | null;
	readonly trigger: string | null;
	readonly reportPath: string;
	readonly reportUrl: string | null;
	readonly commentUrl: string | null;
}

/** `fields` go into the event of the wrap-up. */
export function reviewStep(
	plan: ReviewPlan,
	work: ReviewedWork,
	prepared: Prepared,
	ctx: NgContext,
): Reviewed {
	switch (plan.kind) {
		case "none":
		case "refused":
			return { kind: "none" };
		case "declined":
			return {
				kind: "ok",
				line: `declined (${plan.reason})`,
				fields: [
					["skeptic", "declined"],
					["skeptic-rationale", plan.reason],
				],
			};
		case "wanted":
			return askForReview(plan, work, prepared, ctx);
		case "verdict":
			return giveVerdict(plan, work.reportPath, prepared, ctx);
	}
}

/** The marker first: from here on the window must not be retired. */
function askForReview(
	plan: Extract<ReviewPlan, { kind: "wanted" }>,
	work: ReviewedWork,
	{ hub, matter }: Prepared,
	{ doors }: NgContext,
): Reviewed {
	const { window } = work;
	const { files, proc } = doors;
	const { settings, stateDir } = hub;
	if (window === null)
		return { kind: "failed", why: "a review needs a tmux window to ask in" };
	const inbox = inboxOf(files, proc.env, settings);
	if (inbox.kind === "refused") return { kind: "failed", why: inbox.why };
	const [open] = openReviewRequests(files, inbox.dir, window);
	if (open !== undefined) return askedFor(open.id, plan);
	const marked = writeSkepticPending(files, stateDir, window, plan.depth);
	if (marked.kind === "failed") return { kind: "failed", why: marked.reason };
	const from = readProvenance(files, stateDir, window);
	const details = [
		`Review the work of window ${window}.`,
		"",
		`issue: ${matter.repo}#${matter.issue}`,
		`trigger-comment: ${work.trigger ?? "none"}`,
		`report: ${work.reportPath}`,
		`report-url: ${work.reportUrl ?? "none"}`,
		`comment-url: ${work.commentUrl ?? "none"}`,
		`worker-prompt: ${from?.promptFile ?? "unknown"}`,
		`window: ${window}`,
		`session: ${from?.sessionId || "unknown"}`,
		`depth: ${plan.depth}`,
		`orig: ${from?.skeptic.orig || window}`,
		`mode: ${from?.skeptic.mode ?? "auto"}`,
		`deliberate: ${plan.deliberate}`,
		`rationale: ${plan.rationale || "none given"}`,
	];
	const filed = fileRequest(doors, inbox.dir, {
		origin: originOf(window),
		slug: "review",
		kind: "spawn-skeptic",
		isReplyRequired: false,
		priority: "normal",
		publish: true,
		body: rawOf(`${details.join("\n")}\n`),
	});
	if (filed.kind === "failed") {
		files.remove(skepticPendingPath(stateDir, window));
		return { kind: "failed", why: filed.why };
	}
	return askedFor(filed.id, plan);
}

function askedFor(
	id: string,
	{ depth, rationale }: Extract<ReviewPlan, { kind: "wanted" }>,
): Reviewed {
	return {
		kind: "ok",
		line: `asked for (request ${id}); stay, and run ng skeptic await until it says DONE`,
		fields: [
			["skeptic", "asked"],
			["skeptic-depth", String(depth)],
			["skeptic-rationale", rationale],
		],
	};
}

type Verdict = Extract<ReviewPlan, { kind: "verdict" }>;

/**
 * The reviewed worker waits for questions, and would never hear of a verdict that asks for another round; so it is the last
 * of them. Null: it was told, now or before.
 */
function tellVerdict(
	{ verdict, target, depth, findings, contradicted }: Verdict,
	report: string,
	stateDir: string,
	files: Files,
): string | null {
	const dir = skepticChannelDir(stateDir, target);
	const slug = `verdict-${depth}`;
	const known = listQuestions(files, dir) ?? [];
	if (known.some((question) => question.stem.endsWith(`-${slug}`))) return null;
	const text = [
		`The verdict of round ${depth}: ${verdict}, ${findings} finding(s), ${contradicted} of them against your report.`,
		"",
		`The findings are in ${report}.`,
		"",
		"Mend what is right of it, answer this question with what you did, and wrap up again with --skeptic-new-round.",
		"",
	].join("\n");
	const asked = askQuestion(files, dir, slug, text);
	return asked.kind === "ok" ? null : asked.why;
}

function giveVerdict(
	plan: Verdict,
	report: string,
	{ hub }: Prepared,
	{ doors }: NgContext,
): Reviewed {
	const { verdict, target, orig, findings } = plan;
	if (!plan.closes) {
		const told = tellVerdict(plan, report, hub.stateDir, doors.files);
		if (told !== null) return { kind: "failed", why: `${target}: ${told}` };
	}
	if (plan.closes)
		for (const window of new Set([target, orig])) {
			const closed = closeReview(doors, hub.stateDir, window);
			if (closed.kind === "failed")
				return { kind: "failed", why: `${window}: ${closed.reason}` };
		}
	const end = plan.closes
		? "the review is over"
		: "another round: the reviewed worker answers, and wraps up with --skeptic-new-round";
	return {
		kind: "ok",
		line: `${verdict}, ${findings} finding(s) on ${target}; ${end}`,
		fields: [
			["skeptic", "verdict"],
			["skeptic-target", target],
			["skeptic-orig", orig],
			["skeptic-verdict", verdict],
			["skeptic-depth", String(plan.depth)],
			["skeptic-findings", String(findings)],
			["skeptic-contradicted", String(plan.contradicted)],
		],
	};
}
