/** What the liveness task asks of others, and what it starts. Types only. */
import type { LookResult } from "../../_pane/types.ts";
import type { TaskRun } from "../context.ts";

/** What the task may do beside judging; both start something that runs beside the loop. */
export interface LivenessHands {
	/** Transcript of the pinned session in each home of Claude Code. */
	readonly transcripts: (sessionId: string) => readonly string[];
	/** The target's pane as it looks now; null: it could not be found. */
	readonly lookAtTarget: (run: TaskRun) => Promise<LookResult | null>;
	/** Replaces the orchestrator. False: a respawn runs already. */
	readonly replace: (run: TaskRun, reason: string) => boolean;
	/** Submits the newest report again. */
	readonly rescue: () => void;
}
