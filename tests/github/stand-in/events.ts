/** The App's delivery log: what GitHub keeps of every event of a repository where the App is installed. */
import { createHash } from "node:crypto";
import type { Place } from "./place.ts";
import { renderComment, renderIssue } from "./render/issue.ts";
import { nodeId, renderPerson } from "./render/person.ts";
import {
	renderPull,
	renderReview,
	renderReviewComment,
	renderSimplePull,
} from "./render/pull.ts";
import { renderRepo } from "./render/repository.ts";
import {
	type Comment,
	type Delivery,
	type Issue,
	nextId,
	type Repo,
	type Review,
	type ReviewComment,
	same,
} from "./world.ts";

export interface About {
	readonly issue?: Issue;
	readonly comment?: Comment;
	readonly reviewComment?: ReviewComment;
	readonly review?: Review;
	/** Of events that are about none of these. */
	readonly other?: Readonly<Record<string, unknown>>;
}

/** Nothing is kept without a webhook, nor of a repository that the App cannot see. */
export function recordEvent(
	place: Place,
	repo: Repo,
	event: string,
	action: string | null,
	sender: string,
	about: About,
): Delivery | null {
	const { state } = place;
	const installation = state.app.installations.find((i) =>
		i.repos.some((name) => same(name, repo.fullName)),
	);
	if (!state.app.hasWebhook || installation === undefined) return null;
	const id = deliveryId(place);
	const delivery: Delivery = {
		id,
		guid: guidOf(id),
		at: place.now(),
		redelivery: false,
		event,
		action,
		repo: repo.fullName,
		payload: {
			...(action === null ? {} : { action }),
			...subject(place, repo, event, about),
			repository: renderRepo(place, repo),
			installation: {
				id: installation.id,
				node_id: nodeId("INST", installation.id),
			},
			sender: renderPerson(place, sender),
		},
	};
	state.deliveries.push(delivery);
	return delivery;
}

/** The same GUID again, at the top of the log. Null: no such delivery. */
export function redeliver(place: Place, id: string): Delivery | null {
	const { deliveries } = place.state;
	const original = deliveries.find((d) => d.id === id);
	if (original === undefined) return null;
	const again: Delivery = {
		...original,
		id: deliveryId(place),
		at: place.now(),
		redelivery: true,
	};
	deliveries.push(again);
	return again;
}

/** Larger than what a JSON number keeps its last digits of. */
function deliveryId({ state }: Place): string {
	const step = nextId(state, "delivery", 1);
	return String(3_800_000_000_000_000_000n + BigInt(step) * 7n);
}

/** Looks drawn, and is the same in every run. */
function guidOf(id: string): string {
	const hex = createHash("sha256").update(id).digest("hex");
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5");
}

function subject(place: Place, repo: Repo, event: string, about: About) {
	const { issue, comment, reviewComment, review, other } = about;
	if (issue === undefined) return { ...other };
	if (event === "issue_comment" && comment !== undefined)
		return {
			issue: renderIssue(place, repo, issue),
			comment: renderComment(place, repo, comment),
		};
	if (reviewComment !== undefined)
		return {
			pull_request: renderSimplePull(place, repo, issue),
			comment: renderReviewComment(place, repo, reviewComment),
		};
	if (review !== undefined)
		return {
			pull_request: renderSimplePull(place, repo, issue),
			review: renderReview(place, repo, review),
		};
	return issue.pull === null
		? { issue: renderIssue(place, repo, issue) }
		: { number: issue.number, pull_request: renderPull(place, repo, issue) };
}
