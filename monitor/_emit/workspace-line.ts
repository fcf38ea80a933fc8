/** The `workspace:` line, which a report never lacks: its absence once read as "nothing is running" (contract 01 §7.1). */
import type { LastPrelude } from "../_state/last-prelude.ts";
import { ageSeconds } from "../_sys/age.ts";
import { oneLine } from "./clean-text.ts";
import { type BoundedResult, renderLabel } from "./run-bounded.ts";
import { hasUnprobed } from "./tally.ts";

export interface WorkspaceLines {
	readonly text: string;
	/** A complete render: to be remembered. */
	readonly remember?: string;
}

/** Before the idle probe is installed there is nobody to ask. */
const NO_IDLE_PROBE = "workspace: UNAVAILABLE (NO IDLE PROBE)";

const PRELUDE_MAX = 1000;

/** `render` is null without an idle probe. `now` in epoch seconds. */
export function workspaceLines(
	render: BoundedResult | null,
	last: LastPrelude | null,
	now: number,
): WorkspaceLines {
	if (render === null) return { text: NO_IDLE_PROBE };
	const counts = oneLine(
		render.out.trim().split("\n", 1)[0] ?? "",
		PRELUDE_MAX,
	);
	if (render.rc === 0 && counts !== "")
		return { text: withNotes(counts), remember: counts };
	const label = renderLabel(render.rc);
	if (counts !== "")
		return {
			text: withNotes(
				counts,
				`PARTIAL (${label}) — the render was cut off, the counts are incomplete; see watcher.log`,
			),
		};
	if (last !== null)
		return { text: withNotes(last.text, staleNote(label, last, now)) };
	return {
		text: `workspace: UNAVAILABLE (${label}) — no counts; this is not an empty workspace`,
	};
}

function withNotes(counts: string, degraded?: string): string {
	return [
		counts,
		...(hasUnprobed(counts)
			? ["^ UNPROBED — those windows are counted neither busy nor idle"]
			: []),
		...(degraded === undefined ? [] : [`^ ${degraded}`]),
	]
		.map((line) => `workspace: ${line}`)
		.join("\n");
}

function staleNote(label: string, last: LastPrelude, now: number): string {
	const taken = Math.round(ageSeconds(now, last.epoch, 0) ?? 0);
	return `STALE (${label}) — the previous complete counts, taken ${taken}s ago`;
}
