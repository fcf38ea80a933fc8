/** The delivery log's listing: its rows, and which of them can be a comment (contract 02 §6). Pure. */
import { at, idAt, textAt } from "./json-look.ts";

export interface DeliveryRow {
	/** The same for a delivery and each of its redeliveries. */
	readonly guid: string;
	/** Digits: larger than a number holds. */
	readonly id: string;
	readonly event: string;
	readonly action: string | null;
}

/** In the log's order, newest first, without redeliveries and rows that lack their ids; null: that is no listing. */
export function parseListing(data: unknown): readonly DeliveryRow[] | null {
	if (!Array.isArray(data)) return null;
	return data.flatMap((row: unknown) => {
		const guid = textAt(row, "guid");
		const id = idAt(row, "id");
		// A redelivery repeats its GUID at the top of the log: matching the cursor there would skip all in between.
		if (!guid || id === null || at(row, "redelivery") === true) return [];
		return [
			{
				guid,
				id,
				event: textAt(row, "event") ?? "",
				action: textAt(row, "action"),
			},
		];
	});
}

/** About half of a real log can never surface; reading it starved real comments. */
export function eventEligible(event: string, action: string | null): boolean {
	return Object.hasOwn(ACTIONS, event) && ACTIONS[event] === action;
}

const ACTIONS: Readonly<Record<string, string>> = {
	issue_comment: "created",
	pull_request_review_comment: "created",
	pull_request_review: "submitted",
	issues: "opened",
	pull_request: "opened",
};
