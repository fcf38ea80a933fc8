/** One retry, where a second copy cannot come of it (contract 04 §6.3). */
import type { LookResult } from "../_pane/types.ts";
import { writeLeftover } from "../_state/paste-leftover.ts";
import { mayPressEnter } from "./look.ts";
import type { PasteResult } from "./paste-result.ts";
import {
	onDelivered,
	type PasteDeps,
	type PasteRequest,
	pasteToTarget,
} from "./paste-to-target.ts";
import { verdictOf } from "./verdict.ts";

/**
 * rc 3: 500 ms, one more attempt. rc 4: 500 ms, then a look first, because a collapsed text renders
 * late and a blind second paste once delivered it twice. Every other rc stands.
 */
export async function pasteWithRetry(
	deps: PasteDeps,
	request: PasteRequest,
): Promise<PasteResult> {
	const { clock, log } = deps.doors;
	const first = await pasteToTarget(deps, request);
	if (first.rc !== 3 && first.rc !== 4) return first;
	if (request.signal?.aborted) return first;
	log.info(
		`paste window=${request.window} rc=${first.rc} (${first.outcome}), once more`,
	);
	await clock.sleep(deps.timings.retryMs, request.signal);
	const settled =
		first.rc === 4 ? await withoutSecondCopy(deps, request, first) : null;
	return settled ?? pasteToTarget(deps, request);
}

/** Null: the pane shows nothing of the first copy. */
async function withoutSecondCopy(
	deps: PasteDeps,
	request: PasteRequest,
	first: PasteResult,
): Promise<PasteResult | null> {
	const late = (await first.arrivedLate?.()) ?? "no";
	if (late !== "no") return arrivedLate(deps, request, first, late);
	if (first.pane === null) return null;
	const seen = await deps.lookAt(first.pane, request.signal);
	switch (verdictOf(seen, "before-paste")) {
		case "held":
		case "draft":
			rememberOurs(deps, request, seen, first.pasted);
			return {
				...first,
				rc: 6,
				outcome: "text in the box after the first try",
			};
		case "blocked":
			return { ...first, rc: 7, outcome: "overlay after the first try" };
		default:
			return null;
	}
}

function arrivedLate(
	deps: PasteDeps,
	request: PasteRequest,
	first: PasteResult,
	by: "proven" | "shown",
): PasteResult {
	const { outcome } = first;
	const confirmed = by === "proven";
	if (!confirmed)
		deps.doors.log.warn(
			`paste window=${request.window} UNCONFIRMED (${outcome}, arrived late)`,
		);
	const delivered: PasteResult = {
		...first,
		rc: 0,
		outcome: "arrived late",
		confirmed,
	};
	onDelivered(deps, request, delivered);
	return delivered;
}

/** Our own text, drawn late, would else stand in the box as a draft that nobody may touch. */
function rememberOurs(
	{ doors, stateDir }: PasteDeps,
	{ window }: PasteRequest,
	seen: LookResult,
	pasted: string | undefined,
): void {
	if (pasted !== undefined && mayPressEnter(seen, pasted).kind === "yes")
		writeLeftover(doors.files, stateDir, window, pasted);
}
