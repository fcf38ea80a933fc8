/** No record tells whether it arrived: what the pane's history says then (contract 04 §6.2). */
import { writeLeftover } from "../_state/paste-leftover.ts";
import type { UnconfirmedReport } from "../_state/unconfirmed-reports.ts";
import type { PaneRow } from "../_sys/doors.ts";
import { asPasted } from "./as-pasted.ts";
import { provesDelivery } from "./evidence.ts";
import { findInHistory, lookInHistory } from "./history.ts";
import type { DeliveryDeps } from "./job.ts";
import { needleOf } from "./needle.ts";
import type { DeliverResult } from "./outcome.ts";
import type { PasteResult } from "./paste-result.ts";

/** Of an unsigned text only this much is looked for: its piece of ASCII may be a whole paragraph. */
const UNSIGNED_NEEDLE = 32;

export interface Checked {
	readonly window: string;
	readonly pane: PaneRow;
	/** `nexus-emit-sig …`; null for a brief without one. */
	readonly signature: string | null;
	/** Epoch seconds, from before its paste. */
	readonly at: number;
}

/**
 * A signed text shows in the history, or it does not. An unsigned one may look like any other: it
 * can be seen in the box, which refuses it, and nothing that is seen or not seen above proves more.
 */
export async function checkSignature(
	deps: DeliveryDeps,
	checked: Checked,
	result: DeliverResult,
): Promise<PasteResult> {
	const { window, pane, signature } = checked;
	const { files, log } = deps.doors;
	const needle =
		signature ?? needleOf(result.payload)?.slice(0, UNSIGNED_NEEDLE) ?? null;
	const seen =
		needle === null ? "absent" : await findInHistory(deps, pane, needle);
	const { outcome } = result;
	const confirmed = false;
	const pasted = asPasted(result.payload, pane);
	if (seen === "in-box") {
		writeLeftover(files, deps.stateDir, window, pasted);
		return { rc: 6, outcome: `${outcome}, in the box`, confirmed, pane };
	}
	if (seen === "shown" || signature === null) {
		log.warn(`paste window=${window} UNCONFIRMED (${outcome})`);
		return {
			rc: 0,
			outcome: `UNCONFIRMED ${outcome}`,
			confirmed,
			pane,
			unproven: unprovenOf(checked, result),
		};
	}
	return {
		rc: 4,
		outcome: `${outcome}, signature not seen`,
		confirmed,
		pane,
		pasted,
		unproven: unprovenOf(checked, result),
		arrivedLate: async () => {
			const records = result.watch?.().records ?? [];
			if (records.some((record) => provesDelivery(record, signature) !== null))
				return "proven";
			const seenNow = await lookInHistory(deps, pane, signature);
			return seenNow === "shown" ? "shown" : "no";
		},
	};
}

function unprovenOf(
	{ signature, at }: Checked,
	{ sessionId, watch }: DeliverResult,
): UnconfirmedReport | undefined {
	if (signature === null) return undefined;
	const hadTranscript = watch?.().source === "readable";
	return { signature, at, sessionId, hadTranscript };
}
