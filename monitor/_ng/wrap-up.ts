/**
 * `ng wrap-up <issue> <report>`: the hand-off of a worker (contract 05 §8): report up, thread told, trigger closed,
 * event logged, window retained. Each step stands alone, and the whole can be repeated after any failure.
 */
import { reactToComment } from "../_github/comment.ts";
import { failureLine } from "../_github/errors.ts";
import { findIssue } from "../_github/issue.ts";
import { readActionLog } from "../_state/action-log.ts";
import { appendEvent } from "../_state/action-log-append.ts";
import { processedEntry } from "../_state/processed-comments.ts";
import { callerWindow } from "../_sys/caller-window.ts";
import { remember } from "./process/claim.ts";
import { publish } from "./publish.ts";
import type { NgContext, NgVerb } from "./verb.ts";
import { type WrapUpArguments, wrapUpArguments } from "./wrap-up/arguments.ts";
import { runCommentStep } from "./wrap-up/comment.ts";
import { composeComment } from "./wrap-up/compose.ts";
import { engagementNote } from "./wrap-up/engaged.ts";
import { wasPublished } from "./wrap-up/history.ts";
import { retainEvent, wrapUpEvent } from "./wrap-up/log.ts";
import { planReview } from "./wrap-up/plan-review.ts";
import { forgetPosting } from "./wrap-up/posting.ts";
import { type Prepared, prepare } from "./wrap-up/prepare.ts";
import {
	exitFor,
	type Result,
	renderSummary,
	renderTrouble,
} from "./wrap-up/render.ts";
import { reviewStep } from "./wrap-up/review-step.ts";
import { inTurn } from "./wrap-up/turn.ts";

/** 0 all is done, 1 refused or a step failed, 3 nothing failed and nothing reached the thread. */
export const run: NgVerb = async (args, ctx) => {
	const asked = wrapUpArguments(args, ctx);
	if (asked.kind === "ended") return asked.rc;
	const prepared = await prepare(asked, ctx);
	if (prepared === null) return 1;
	if (asked.dryRun) return showOnly(prepared, ctx);
	const { matter, hub } = prepared;
	return inTurn(matter, hub, ctx, () => handOver(asked, prepared, ctx));
};

async function handOver(
	asked: WrapUpArguments,
	prepared: Prepared,
	ctx: NgContext,
): Promise<number> {
	const { doors, out, errPlain } = ctx;
	const { hub, matter, triggerRepo } = prepared;
	const events = readActionLog(doors, hub.stateDir, ["wrap-up", "spawn"]);
	const window = await callerWindow(doors.tmux, doors.proc.env);
	const plan = planReview(asked.review, { window, events }, hub, doors);
	if (plan.kind === "refused") {
		ctx.err(`wrap-up: ${plan.why}`);
		return 1;
	}
	if (asked.comments && !(await threadIsThere(prepared, ctx))) return 1;
	const { upload, comment } = await publishReport(asked, prepared, events, ctx);
	const rocket = await rocketStep(asked, prepared, comment, events, ctx);
	const isHandedOver =
		upload.kind === "ok" &&
		comment.outcome !== "failed" &&
		comment.outcome !== "degenerate-teaser" &&
		rocket.outcome !== "failed";
	const work = {
		window,
		trigger: asked.trigger,
		reportPath: asked.report,
		reportUrl: upload.kind === "ok" ? upload.url : null,
		commentUrl: "url" in comment ? comment.url : null,
	};
	// What failed, or told nobody, is repeated as a whole, and asks then.
	const review = isHandedOver
		? reviewStep(plan, work, prepared, ctx)
		: ({ kind: "none" } as const);
	const done = { ...matter, trigger: asked.trigger, upload, comment, rocket };
	const logged = appendEvent(
		doors,
		hub.stateDir,
		wrapUpEvent(done, { repo: matter.repo, triggerRepo, window, review }),
	);
	const isLogged = "url" in comment && comment.url !== null;
	if (logged.kind === "ok" && isLogged)
		forgetPosting(matter, hub.stateDir, doors.files);
	const result: Result = {
		...done,
		review,
		log: logged.kind === "ok" ? logged : { kind: "failed", why: logged.reason },
		retain: retainStep(asked, window, prepared, ctx),
	};
	for (const line of renderSummary(result)) out(line);
	if (window !== null)
		for (const line of engagementNote(window, hub, ctx)) out(line);
	for (const line of renderTrouble(result)) errPlain(line);
	return exitFor(result);
}

function showOnly(
	{ matter, text, supplied }: Prepared,
	{ out }: NgContext,
): number {
	const composed = composeComment({
		given: supplied,
		report: text,
		basename: matter.report,
		url: "(its address)",
	});
	out(
		composed.kind === "ok"
			? composed.body.trimEnd()
			: "(no comment: the Summary's opening says nothing that could be quoted)",
	);
	return 0;
}

/** Only "it is not there" is a finding. */
async function threadIsThere(
	{ hub, matter }: Prepared,
	{ err }: NgContext,
): Promise<boolean> {
	const found = await findIssue(hub.gitHub, matter.repo, matter.issue);
	if (found.kind === "ok") return true;
	if (found.failure.kind !== "not_found") {
		err(
			`WARNING: could not look whether ${matter.repo}#${matter.issue} is there: ${failureLine(found.failure)}`,
		);
		return true;
	}
	err(
		`wrap-up: there is no issue ${matter.issue} in ${matter.repo}; --repo selects the repository of the issue thread (never where the report goes)`,
	);
	return false;
}

type Events = ReturnType<typeof readActionLog>;

async function publishReport(
	asked: WrapUpArguments,
	{ hub, matter, bytes, text, supplied }: Prepared,
	events: Events,
	ctx: NgContext,
): Promise<Pick<Result, "upload" | "comment">> {
	const published = await publish(
		{
			local: matter.report,
			bytes,
			issue: matter.issue,
			repoPath: null,
			message: null,
			restated: null,
			shape: asked.shape,
		},
		hub,
		ctx,
	);
	if (published.kind === "failed")
		return {
			upload: { kind: "failed", why: published.why },
			comment: {
				outcome: "skipped",
				because: asked.comments ? "upload" : "flag",
			},
		};
	const { url } = published;
	const upload = { kind: "ok", url } as const;
	if (!asked.comments)
		return { upload, comment: { outcome: "skipped", because: "flag" } };
	const composed = composeComment({
		given: supplied,
		report: text,
		basename: matter.report,
		url,
	});
	if (composed.kind === "degenerate")
		return { upload, comment: { outcome: "degenerate-teaser" } };
	const { body } = composed;
	const isSupplied = supplied !== null;
	const step = { matter, body, isSupplied, url, events };
	return { upload, comment: await runCommentStep(step, hub, ctx) };
}

/** A rocket says that the matter is settled for good, so it waits until somebody was told. */
async function rocketStep(
	{ trigger }: WrapUpArguments,
	{ hub, matter, triggerRepo }: Prepared,
	{ outcome }: Result["comment"],
	events: Events,
	ctx: NgContext,
): Promise<Result["rocket"]> {
	if (trigger === null) return { outcome: "skipped" };
	const isUntold =
		outcome === "degenerate-teaser" ||
		(outcome === "nothing-published" &&
			!wasPublished(events ?? [], matter, trigger));
	if (isUntold) return { outcome: "skipped-nothing-published" };
	const { gitHub, stateDir } = hub;
	const posted = await reactToComment(gitHub, triggerRepo, trigger, "rocket");
	if (posted.kind === "failed")
		return { outcome: "failed", why: failureLine(posted.failure) };
	remember(ctx, stateDir, [
		processedEntry.comment(trigger),
		processedEntry.rocket(trigger),
	]);
	return { outcome: "ok" };
}

function retainStep(
	{ retain, issue }: WrapUpArguments,
	window: string | null,
	{ hub }: Prepared,
	{ doors }: NgContext,
): Result["retain"] {
	if (retain === null || window === null) return { kind: "skipped" };
	const today = new Date(doors.clock.nowMs()).toISOString().slice(0, 10);
	const reason = retain === "default" ? `wrap-up-${today}` : retain.reason;
	const event = retainEvent(window, reason, issue);
	const logged = appendEvent(doors, hub.stateDir, event);
	return logged.kind === "ok"
		? { kind: "ok", window, reason }
		: { kind: "failed", why: logged.reason };
}
