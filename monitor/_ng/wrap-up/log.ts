/** The events of a wrap-up (contract 05 §8.2, §9.2). What is not there is left out, never empty. Pure. */

import type { NewEvent } from "../../_state/action-log-append.ts";
import { sameRepo } from "../../_state/emit-block-target.ts";
import type { Result } from "./render.ts";
import type { Reviewed } from "./review-step.ts";

export interface Where {
	readonly repo: string;
	readonly triggerRepo: string;
	readonly window: string | null;
	readonly review: Reviewed;
}

/** As `wrap-up-check` and the watcher read it. */
export function wrapUpEvent(
	r: Omit<Result, "log" | "retain" | "review">,
	{ repo, triggerRepo, window, review }: Where,
): NewEvent {
	const commentUrl = "url" in r.comment ? r.comment.url : null;
	const fields: readonly (readonly [string, string | null])[] = [
		["issue", r.issue],
		["report", r.report],
		["asset-url", r.upload.kind === "ok" ? r.upload.url : null],
		["comment-url", commentUrl],
		["trigger-comment", r.trigger],
		["window", window],
		["repo", repo],
		["trigger-repo", sameRepo(repo, triggerRepo) ? null : triggerRepo],
		["upload", r.upload.kind],
		["comment", r.comment.outcome],
		["rocket", r.rocket.outcome],
		...(review.kind === "ok" ? review.fields : []),
	];
	return {
		agent: "monitor",
		event: "wrap-up",
		extras: fields.flatMap(([key, value]) =>
			value === null || value === "" ? [] : [[key, value] as const],
		),
	};
}

/** The window stays open, and why. */
export function retainEvent(
	window: string,
	reason: string,
	issue: string,
): NewEvent {
	return {
		agent: "monitor",
		event: "window-retain",
		extras: [
			["window", window],
			["reason", reason],
			["issue", issue],
		],
	};
}
