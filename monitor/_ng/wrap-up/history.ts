/** Earlier wrap-ups of the same report in the same thread. Pure. What makes two the same is never the URL: each upload may give a new one. */

import type { ActionEvent } from "../../_state/action-log.ts";
import { sameRepo } from "../../_state/emit-block-target.ts";

export interface Matter {
	readonly issue: string;
	/** The report's base name. */
	readonly report: string;
	readonly repo: string;
}

/** The last run that left a comment; null: none did. */
export function priorComment(
	events: readonly ActionEvent[],
	matter: Matter,
): { readonly url: string; readonly assetUrl: string | null } | null {
	const last = events.findLast(
		(e) => isOf(e, matter) && e.field("comment-url") !== null,
	);
	const url = last?.field("comment-url");
	return url ? { url, assetUrl: last?.field("asset-url") ?? null } : null;
}

/** Was the thread ever told, with this trigger? */
export function wasPublished(
	events: readonly ActionEvent[],
	matter: Matter,
	trigger: string,
): boolean {
	return events.some(
		(e) =>
			isOf(e, matter) &&
			e.field("trigger-comment") === trigger &&
			PUBLISHED.has(e.field("comment") ?? ""),
	);
}

const PUBLISHED = new Set(["ok", "edited", "updated-and-posted"]);

function isOf(e: ActionEvent, { issue, report, repo }: Matter): boolean {
	return (
		e.event === "wrap-up" &&
		e.field("issue") === issue &&
		e.field("report") === report &&
		sameRepo(e.field("repo") ?? "", repo)
	);
}
