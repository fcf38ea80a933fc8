/** The delivery log's listing: its rows, which of them can be a comment, and where it goes on (contract 02 §6). Pure. */
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

/** The `cursor` of `rel="next"`. Only the parameter: the address itself may lead to another host. */
export function nextCursor(link: string | undefined): string | null {
	for (const part of (link ?? "").split(/,\s*(?=<)/)) {
		const [, href, rels] = /^<([^>]*)>(.*)$/.exec(part) ?? [];
		if (href === undefined || !/;\s*rel="?next\b/i.test(rels ?? "")) continue;
		return URL.parse(href, "http://x/")?.searchParams.get("cursor") || null;
	}
	return null;
}

const ACTIONS: Readonly<Record<string, string>> = {
	issue_comment: "created",
	pull_request_review_comment: "created",
	pull_request_review: "submitted",
	issues: "opened",
	pull_request: "opened",
};
