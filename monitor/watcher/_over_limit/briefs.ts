/** What a pane is told when its usage limit is over, or may be (contract 04 §9.6). Pure. */
import {
	type HeldEmit,
	overLimitHeldPath,
} from "../../_state/over-limit-held.ts";
import type { LimitRow } from "../../_state/over-limit-state.ts";
import { resetInstant } from "../../_state/reset-token.ts";

export interface OrchestratorBrief {
	readonly row: LimitRow;
	readonly held: readonly HeldEmit[];
	/** Workers that are still over their limit. */
	readonly workers: readonly string[];
	readonly now: number;
	readonly iso: (epochSeconds: number) => string;
	readonly stateDir: string;
}

/** Names the newest ten held reports; the log has all. `now` in epoch seconds. */
export function orchestratorBrief(brief: OrchestratorBrief): string {
	const { row, held, workers, now, iso, stateDir } = brief;
	const until = isKnown(row) ? Math.min(row.resetAt, now) : now;
	const seconds = Math.max(0, until - row.firstSeen);
	const archives = held.map(({ archive }) => `- ${archive}`);
	return [
		"=== WATCHER: USAGE-LIMIT RECOVERY (read first) ===",
		"--- WHAT HAPPENED ---",
		`This session was at its usage limit (${reportedReset(row)}).`,
		`${held.length} report(s) were held, from ${iso(row.firstSeen)} until ${iso(until)} (${duration(seconds)}).`,
		...archives.slice(-10),
		"--- STATE NOW ---",
		"This is the first emit since.",
		workers.length === 0
			? "No worker was over its limit when this was written."
			: `Workers still over their limit: ${workers.join(", ")}`,
		"--- LOG OF THE OFF-TIME ---",
		`${overLimitHeldPath(stateDir)}`,
		"monitor/.state/diffs/",
		"monitor/.state/last-snapshot.txt",
		"",
	].join("\n");
}

/** `words`: how the pane itself put it; null: it does not say any more. One line, and never a model nobody measured. */
export function workerBrief(row: LimitRow, words: string | null): string {
	return isKnown(row)
		? `[nexus watcher] Your usage limit ${reportedReset(row)}, and that is over. Please continue with your task; first check again what you were waiting for: jobs, watches, messages.`
		: `[nexus watcher] This is a probe: your usage limit named no reset time that could be read ("${words ?? tokenWords(row.token)}"). If you can read this, it is over: please continue with your task; first check again what you were waiting for.`;
}

/** `Aug_1_at_7pm_Asia/Tokyo` as `Aug 1 at 7pm (Asia/Tokyo)`. */
export function tokenWords(token: string): string {
	const [, time, zone] =
		/^(.+?)[_ ]([A-Za-z]+\/[\w/+-]+|UTC|GMT|Z)$/.exec(token) ?? [];
	if (time === undefined || zone === undefined)
		return token.replaceAll("_", " ");
	return `${time.replaceAll("_", " ")} (${zone})`;
}

/** `5h 03m 09s`. */
export function duration(seconds: number): string {
	const two = (n: number) => String(n).padStart(2, "0");
	const minutes = Math.floor(seconds / 60);
	return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m ${two(seconds % 60)}s`;
}

function isKnown({ token, firstSeen }: LimitRow): boolean {
	return resetInstant(token, firstSeen).kind === "known";
}

/** The guess is never told as a fact. */
function reportedReset(row: LimitRow): string {
	return isKnown(row)
		? `was reported to reset at ${tokenWords(row.token)}`
		: `its reset was not understood: "${tokenWords(row.token)}"`;
}
