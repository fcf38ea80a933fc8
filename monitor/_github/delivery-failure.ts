/** What becomes of a poll of the delivery log when a call fails (contract 02 §2.4, §6). */
import { mayWarnOfNoWebhook } from "../_state/deliveries-unavailable.ts";
import { ageSeconds } from "../_sys/age.ts";
import type { DeliveriesContext, Polled } from "./deliveries.ts";
import type { DeliveryRow } from "./delivery-listing.ts";
import type { GhFailure } from "./errors.ts";

/** A payload that cannot be had for so many polls in a row is given up: what stands behind it waits. */
const GIVE_UP_AFTER = 3;
const SAY_EVERY_SECONDS = 600;

/** No output, no cursor; everything else goes on. */
export function listingFailed(
	ctx: DeliveriesContext,
	failure: GhFailure,
): Polled {
	const { doors, stateDir } = ctx;
	if (ctx.signal.aborted) return { text: "", rc: 0 };
	if (failure.kind === "not_found") {
		if (mayWarnOfNoWebhook(doors, stateDir))
			doors.log.warn(
				"deliveries: GET /app/hook/deliveries returned 404: the App has no webhook URL, so GitHub keeps no delivery log",
			);
		return { text: "", rc: 0 };
	}
	const what =
		failure.kind === "no_token" ? "jwt mint failed" : "listing failed";
	say(ctx, failure, `${what}; skipping cycle (non-fatal)`);
	return { text: "", rc: isLimit(failure) ? 75 : 0 };
}

/** Done with all the same, or a reason to stop here until the next poll. */
export function deliveryFailed(
	ctx: DeliveriesContext,
	row: DeliveryRow,
	failure: GhFailure,
):
	| { readonly kind: "finished"; readonly text: "" }
	| { readonly kind: "stop"; readonly rc: 0 | 75 } {
	if (ctx.signal.aborted) return { kind: "stop", rc: 0 };
	switch (failure.kind) {
		case "not_found":
		case "client":
			ctx.memory.failing = null;
			ctx.doors.log.info(
				`deliveries: ${row.guid} is gone (${failure.kind}: ${failure.message}); skipped`,
			);
			return { kind: "finished", text: "" };
		case "timeout":
		case "network":
		case "server":
		case "malformed":
			return isGivenUp(ctx, row, failure)
				? { kind: "finished", text: "" }
				: { kind: "stop", rc: 0 };
		default:
			say(ctx, failure, `payload of ${row.guid} refused; the rest waits`);
			return { kind: "stop", rc: isLimit(failure) ? 75 : 0 };
	}
}

function isGivenUp(
	ctx: DeliveriesContext,
	{ guid }: DeliveryRow,
	failure: GhFailure,
): boolean {
	const { memory, doors } = ctx;
	const before = memory.failing?.guid === guid ? memory.failing.polls : 0;
	const polls = before + 1;
	memory.failing = polls >= GIVE_UP_AFTER ? null : { guid, polls };
	if (polls < GIVE_UP_AFTER) {
		say(ctx, failure, `payload of ${guid} not read; the rest waits`);
		return false;
	}
	doors.log.warn(
		`deliveries: ${guid} given up after ${polls} polls (${failure.kind}: ${failure.message})`,
	);
	return true;
}

/** Once in ten minutes for each class. */
function say(
	{ doors, memory }: DeliveriesContext,
	failure: GhFailure,
	what: string,
): void {
	const now = doors.clock.now();
	const age = ageSeconds(now, memory.said.get(failure.kind), SAY_EVERY_SECONDS);
	if (age !== null && age < SAY_EVERY_SECONDS) return;
	memory.said.set(failure.kind, now);
	doors.log.warn(`deliveries: ${what}: ${failure.kind}: ${failure.message}`);
}

function isLimit({ kind }: GhFailure): boolean {
	return kind === "rate_primary" || kind === "rate_secondary";
}
