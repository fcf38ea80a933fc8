/** A look at an orchestrator that was judged wedged, right before it is replaced (contract 04 §16). */
import type { LookResult } from "../../_pane/types.ts";
import {
	ORCHESTRATOR_STAMPS,
	orchestratorStampPath,
} from "../../_state/orchestrator-stamps.ts";
import { readLeftover } from "../../_state/paste-leftover.ts";
import { mtimeOf } from "../../_state/peek.ts";
import type { Files } from "../../_sys/doors.ts";
import { isSomebodysDraft } from "./guard.ts";
import { tracesOf } from "./witnesses.ts";

export interface LastLook {
	readonly stateDir: string;
	readonly target: string;
	/** Epoch seconds of the judgement: it is older than the wait for the paste lock. */
	readonly judgedAt: number;
	/** Of the pinned session. */
	readonly transcripts: readonly string[];
	/** Null: its pane could not be found. */
	readonly seen: LookResult | null;
}

/** Why it stays after all; null: nothing speaks for it. */
export function whyItStays(files: Files, l: LastLook): string | null {
	const isOurs = readLeftover(files, l.stateDir, l.target) !== null;
	if (isSomebodysDraft(l.seen, isOurs)) return "somebody types in it";
	const signs = [
		...ORCHESTRATOR_STAMPS.map((s) => orchestratorStampPath(l.stateDir, s)),
		...tracesOf(l.transcripts),
	];
	const isAnswer = (path: string) =>
		Math.floor(mtimeOf(files, path) ?? 0) > l.judgedAt;
	return signs.some(isAnswer) ? "it answers again" : null;
}
