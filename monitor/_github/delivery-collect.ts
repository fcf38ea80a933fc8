/** The listing of the delivery log, page by page down to the cursor (contract 02 §6, phase 1). */
import type { DeliveriesContext } from "./deliveries.ts";
import {
	type DeliveryRow,
	eventEligible,
	parseListing,
} from "./delivery-listing.ts";
import { failure, type GhFailure } from "./errors.ts";
import { nextCursor } from "./pages.ts";

export type Listed =
	| {
			readonly kind: "ok";
			/** What can be a comment, newest first. */
			readonly eligible: readonly DeliveryRow[];
			/** GUID of the newest delivery; null: the log is empty. */
			readonly newest: string | null;
			/** The last page allowed had a next one, and no cursor. */
			readonly capped: boolean;
	  }
	| { readonly kind: "failed"; readonly failure: GhFailure };

export interface ListingBounds {
	/** GUID of the cursor; null: the whole log, as far as pages go. */
	readonly until: string | null;
	readonly maxPages: number;
}

/**
 * Newest first, as GitHub lists them, and without those that no comment can come of. `capped`: there is more behind
 * the last page that was asked for.
 */
export async function listDeliveries(
	ctx: Pick<DeliveriesContext, "gitHub" | "config" | "signal">,
	{ until, maxPages }: ListingBounds,
): Promise<Listed> {
	const eligible: DeliveryRow[] = [];
	let newest: string | null = null;
	let cursor: string | null = null;
	for (let page = 1; page <= maxPages; page++) {
		const answer = await askPage(ctx, cursor);
		if (answer.kind === "failed") return answer;
		for (const row of answer.value) {
			newest ??= row.guid;
			if (row.guid === until)
				return { kind: "ok", eligible, newest, capped: false };
			if (eventEligible(row.event, row.action)) eligible.push(row);
		}
		const next = nextCursor(answer.headers);
		if (next === null) return { kind: "ok", eligible, newest, capped: false };
		if (next === cursor)
			return {
				kind: "failed",
				failure: failure("malformed", {
					message: "the listing goes in circles",
				}),
			};
		cursor = next;
	}
	return { kind: "ok", eligible, newest, capped: true };
}

function askPage(
	{
		gitHub,
		config,
		signal,
	}: Pick<DeliveriesContext, "gitHub" | "config" | "signal">,
	cursor: string | null,
) {
	return gitHub.app(
		"GET /app/hook/deliveries",
		{ per_page: 100, ...(cursor !== null && { cursor }) },
		{
			deadlineMs: config["monitor.deliveries.max_time_seconds"] * 1000,
			signal,
			read: parseListing,
		},
	);
}
