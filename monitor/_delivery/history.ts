/** The weaker witness: our text in the pane's history (contract 04 §6.2). A signature inside the box proves nothing. */
import type { PaneRow } from "../_sys/doors.ts";
import type { DeliveryDeps } from "./job.ts";

/** `in-box`: at or below the last prompt row. `shown`: above it, or on a screen without one. */
export type Sighting = "shown" | "in-box" | "absent";

const HISTORY_ROWS = 200;
const RECHECK_MS = 500;

/**
 * Pure. Splits a plain capture at the last row that starts with `❯`. Blanks are left out on both
 * sides: a narrow pane breaks the needle over rows, indented.
 */
export function sightingOf(capture: string, needle: string): Sighting {
	const rows = capture.split("\n");
	const at = rows.findLastIndex((row) => row.startsWith("❯"));
	const wanted = squash(needle);
	const holds = (from: number, to?: number) =>
		squash(rows.slice(from, to).join("")).includes(wanted);
	if (at < 0) return holds(0) ? "shown" : "absent";
	if (holds(at)) return "in-box";
	return holds(0, at) ? "shown" : "absent";
}

/** Looks once, `settleMs` from now, then every 0.5 s for `renderRecheckMs` while it is absent. A failed capture is absent. */
export async function findInHistory(
	deps: DeliveryDeps,
	pane: PaneRow,
	needle: string,
): Promise<Sighting> {
	const { clock } = deps.doors;
	await clock.sleep(deps.timings.settleMs);
	const end = clock.monoMs() + deps.timings.renderRecheckMs;
	for (;;) {
		const seen = await lookInHistory(deps, pane, needle);
		if (seen !== "absent" || clock.monoMs() >= end) return seen;
		await clock.sleep(RECHECK_MS);
	}
}

/** One capture. */
export async function lookInHistory(
	deps: DeliveryDeps,
	pane: PaneRow,
	needle: string,
): Promise<Sighting> {
	const captured = await deps.doors.tmux.capture(pane.paneId, {
		escapes: false,
		history: HISTORY_ROWS,
	});
	return captured.kind === "ok"
		? sightingOf(captured.stdout, needle)
		: "absent";
}

function squash(text: string): string {
	return text.replace(/\s+/g, "");
}
