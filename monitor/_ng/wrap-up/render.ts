/** What a wrap-up prints, and its exit code (contract 05 §8.5, §8.6). Pure. */
import type { CommentOutcome } from "./comment.ts";
import type { Reviewed } from "./review-step.ts";

export interface Result {
	readonly issue: string;
	/** Base name. */
	readonly report: string;
	readonly trigger: string | null;
	readonly upload:
		| { readonly kind: "ok"; readonly url: string }
		| { readonly kind: "failed"; readonly why: string };
	readonly comment:
		| {
				readonly outcome: CommentOutcome;
				readonly url: string | null;
				readonly why?: string;
		  }
		| { readonly outcome: "degenerate-teaser" }
		| { readonly outcome: "skipped"; readonly because: "flag" | "upload" };
	readonly rocket:
		| { readonly outcome: "ok" | "skipped" | "skipped-nothing-published" }
		| { readonly outcome: "failed"; readonly why: string };
	readonly review: Reviewed;
	readonly log:
		| { readonly kind: "ok" }
		| { readonly kind: "failed"; readonly why: string };
	readonly retain:
		| { readonly kind: "ok"; readonly window: string; readonly reason: string }
		| { readonly kind: "failed"; readonly why: string }
		| { readonly kind: "skipped" };
}

/** A line a step, in the order in which they ran. */
export function renderSummary(r: Result): readonly string[] {
	return [
		r.upload.kind === "ok" ? `uploaded: ${r.upload.url}` : "uploaded: FAILED",
		`posted comment: ${commentWords(r)}`,
		...(r.trigger === null ? [] : [rocketLine(r.trigger, r.rocket.outcome)]),
		r.log.kind === "ok"
			? `logged action: wrap-up issue=${r.issue} report=${r.report}`
			: "logged action: FAILED",
		...retainLines(r.retain),
		...(r.review.kind === "ok" ? [`review: ${r.review.line}`] : []),
		...(r.review.kind === "failed" ? ["review: FAILED"] : []),
	];
}

/** 0 all is done; 1 a step failed, and the whole may be repeated; 3 nothing failed, and nothing reached the thread. */
export function exitFor(r: Result): 0 | 1 | 3 {
	if (failures(r).length > 0) return 1;
	const { outcome } = r.comment;
	return outcome === "degenerate-teaser" || outcome === "nothing-published"
		? 3
		: 0;
}

/** For stderr. */
export function renderTrouble(r: Result): readonly string[] {
	const failed = failures(r);
	const retain =
		r.retain.kind === "failed" ? [`window not retained: ${r.retain.why}`] : [];
	if (failed.length > 0)
		return [
			"ng wrap-up: partial failure — retry the failed steps:",
			...failed.map(([step, why]) => `  ${step}: ${why}`),
			...retain,
		];
	const cause = UNPUBLISHED[r.comment.outcome];
	return cause === undefined
		? retain
		: [
				`ng wrap-up: nothing reached the thread: ${cause}`,
				...WAYS_OUT,
				...retain,
			];
}

const UNPUBLISHED: Readonly<Record<string, string>> = {
	"degenerate-teaser":
		"the Summary's opening says nothing that could be quoted",
	"nothing-published":
		"the comment says already what it would say; only its link was brought up to date",
};
const WAYS_OUT = [
	"  running it again unchanged changes nothing; one of these does:",
	"  rewrite the opening of the report's Summary; pass --comment-body-file; say it on the thread with ng reply",
];

function failures(r: Result): readonly (readonly [string, string])[] {
	return [
		...(r.upload.kind === "failed" ? [["upload", r.upload.why] as const] : []),
		...(r.comment.outcome === "failed"
			? [["comment", r.comment.why ?? "not posted"] as const]
			: []),
		...(r.rocket.outcome === "failed"
			? [["rocket", r.rocket.why] as const]
			: []),
		...(r.log.kind === "failed" ? [["log", r.log.why] as const] : []),
		...(r.review.kind === "failed" ? [["review", r.review.why] as const] : []),
	];
}

function commentWords({ comment }: Result): string {
	switch (comment.outcome) {
		case "ok":
			return comment.url ?? "";
		case "updated":
			return `unchanged ${comment.url} (it says this already)`;
		case "edited":
			return `EDITED ${comment.url} (the report's words have changed)`;
		case "updated-and-posted":
			return `NEW ${comment.url} (the earlier comment links the new report, too)`;
		case "nothing-published":
			return `NOTHING PUBLISHED (only the link of ${comment.url} was brought up to date)`;
		case "degenerate-teaser":
			return "NOTHING PUBLISHED (the Summary's opening says nothing)";
		case "skipped":
			return comment.because === "flag"
				? "SKIPPED (--no-comment)"
				: "SKIPPED (upload failed)";
		case "failed":
			return "FAILED";
	}
}

function rocketLine(
	trigger: string,
	outcome: Result["rocket"]["outcome"],
): string {
	const line = `rocketed comment ${trigger}`;
	if (outcome === "skipped-nothing-published")
		return `${line}: SKIPPED (nothing was published — the trigger stays open)`;
	return outcome === "failed" ? `${line}: FAILED` : line;
}

function retainLines(retain: Result["retain"]): readonly string[] {
	if (retain.kind === "skipped") return [];
	return [
		retain.kind === "ok"
			? `retained window: ${retain.window} (reason=${retain.reason}; ttl=monitor.retain_ttl_seconds)`
			: "retained window: FAILED",
	];
}
