/** The comment step of a wrap-up: finds what an earlier run left, plans, and carries it out (contract 05 §8.3). */

import type { CommentText } from "../../_github/comment.ts";
import {
	editComment,
	readCommentById,
	sameText,
} from "../../_github/comment-cas.ts";
import { failureLine, type GhFailure } from "../../_github/errors.ts";
import type { ActionEvent } from "../../_state/action-log.ts";
import type { NgHub } from "../hub.ts";
import type { NgContext } from "../verb.ts";
import { type Matter, priorComment } from "./history.ts";
import { type CommentPlan, planComment } from "./plan.ts";
import { findLostComment, postOnce } from "./posting.ts";

export type CommentOutcome =
	| "ok"
	| "updated"
	| "edited"
	| "updated-and-posted"
	| "nothing-published"
	| "failed";

export interface CommentResult {
	readonly outcome: CommentOutcome;
	/** Of the comment that now tells of the report; null: there is none. */
	readonly url: string | null;
	/** Why it failed. */
	readonly why?: string;
}

export interface CommentStep {
	readonly matter: Matter;
	readonly body: string;
	readonly isSupplied: boolean;
	/** Of the report. */
	readonly url: string;
	/** Wrap-ups so far; null: the log could not be read, which is not "none". */
	readonly events: readonly ActionEvent[] | null;
}

/** A conflict is tried again once, from the text as it is then. */
const TRIES = 2;

/**
 * Without a readable action log nothing is posted, for nobody knows what was. A conflict begins it anew, a few times.
 */
export async function runCommentStep(
	step: CommentStep,
	hub: NgHub,
	ctx: NgContext,
): Promise<CommentResult> {
	if (step.events === null)
		return failed(
			"the action log cannot be read: nobody knows what was posted",
		);
	const logged = priorComment(step.events, step.matter);
	for (let tried = 1; ; tried++) {
		const found = await lookForPrior(step, logged, hub, ctx);
		if (found.kind === "unknown") return failed(failureLine(found.failure));
		const { comment, assetUrl } = found;
		const plan = planComment({
			prior: comment === null ? null : { body: comment.body, assetUrl },
			body: step.body,
			isSupplied: step.isSupplied,
			url: step.url,
			basename: step.matter.report,
		});
		if (plan.kind === "post" || comment === null)
			return posted(await postOnce(step.matter, step.body, hub, ctx), "ok");
		const done = await carryOut(plan, comment, step, hub, ctx);
		if (done !== "conflict") return done;
		if (tried === TRIES) return failed("somebody else edits it, too");
	}
}

type Prior =
	| {
			readonly kind: "looked";
			readonly comment: CommentText | null;
			readonly assetUrl: string | null;
	  }
	| { readonly kind: "unknown"; readonly failure: GhFailure };

/** One that was posted without anybody knowing; else what the log names. */
async function lookForPrior(
	{ matter }: CommentStep,
	logged: ReturnType<typeof priorComment>,
	hub: NgHub,
	ctx: NgContext,
): Promise<Prior> {
	const lost = await findLostComment(matter, hub, ctx);
	if (lost.kind === "unknown") return lost;
	if (lost.comment !== null) return { ...lost, assetUrl: null };
	const none: Prior = { kind: "looked", comment: null, assetUrl: null };
	const id = /#issuecomment-(\d{1,15})$/.exec(logged?.url ?? "")?.[1];
	if (logged === null || id === undefined) return none;
	const read = await readCommentById(hub.gitHub, matter.repo, id);
	if (read.kind === "ok")
		return {
			kind: "looked",
			comment: read.value,
			assetUrl: logged.assetUrl,
		};
	return read.failure.kind === "not_found"
		? none
		: { kind: "unknown", failure: read.failure };
}

async function carryOut(
	plan: Exclude<CommentPlan, { kind: "post" }>,
	comment: CommentText,
	step: CommentStep,
	hub: NgHub,
	ctx: NgContext,
): Promise<CommentResult | "conflict"> {
	const { gitHub } = hub;
	const { repo } = step.matter;
	const { id } = comment;
	const repointed =
		plan.repointed === null
			? ({ kind: "ok", url: comment.url ?? "" } as const)
			: await editComment(gitHub, {
					repo,
					id,
					body: plan.repointed,
					expected: comment.updatedAt,
				});
	if (repointed.kind === "conflict") return "conflict";
	if (repointed.kind !== "ok") return failed(whyNot(repointed));
	if (plan.kind === "keep") return { outcome: plan.outcome, url: comment.url };
	if (plan.kind === "post-beside")
		return posted(
			await postOnce(step.matter, step.body, hub, ctx),
			"updated-and-posted",
		);
	const now =
		plan.repointed === null
			? ({ kind: "ok", value: comment } as const)
			: await readCommentById(gitHub, repo, id);
	if (now.kind === "failed") return failed(failureLine(now.failure));
	// Somebody wrote between our own two edits.
	if (plan.repointed !== null && !sameText(now.value.body, plan.repointed))
		return "conflict";
	const edited = await editComment(gitHub, {
		repo,
		id,
		body: step.body,
		expected: now.value.updatedAt,
	});
	if (edited.kind === "conflict") return "conflict";
	return edited.kind === "ok"
		? { outcome: "edited", url: edited.url }
		: failed(whyNot(edited));
}

function posted(
	done: Awaited<ReturnType<typeof postOnce>>,
	outcome: "ok" | "updated-and-posted",
): CommentResult {
	return done.kind === "ok" ? { outcome, url: done.url } : failed(done.why);
}

function whyNot(
	edited:
		| { readonly kind: "differs" }
		| { readonly kind: "failed"; readonly failure: GhFailure },
): string {
	return edited.kind === "differs"
		? "GitHub stored another text than was sent"
		: failureLine(edited.failure);
}

function failed(why: string): CommentResult {
	return { outcome: "failed", url: null, why };
}
