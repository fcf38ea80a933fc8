/** What is learned from how a report ended (contract 01 §4.1, §11.4). */
import { clearRespawnAlarm } from "../_state/respawn-alarm.ts";
import { clearRespawnFailures } from "../_state/respawn-failures.ts";
import { resetRespawnHistory } from "../_state/respawn-history.ts";
import type { Files } from "../_sys/doors.ts";
import type { LadderOutcome } from "./ladder.ts";

/** What something in a report learns from how it ended. */
export interface Lesson {
	commit(): void | Promise<void>;
	/**
	 * `seen`: also when the report was suppressed as a duplicate, for then its rows were delivered
	 * before. `delivered`: one-shot markers, which go only when they were really read.
	 */
	readonly when: "seen" | "delivered";
}

/** A held or failed report teaches nothing: the same content composes again next time. */
export async function settle(
	outcome: LadderOutcome,
	lessons: readonly Lesson[],
	files: Files,
	stateDir: string,
): Promise<void> {
	if (outcome.kind !== "delivered" && outcome.kind !== "duplicate") return;
	for (const lesson of lessons)
		if (outcome.kind === "delivered" || lesson.when === "seen")
			await lesson.commit();
	if (outcome.kind !== "delivered") return;
	// A verified paste proves the orchestrator: the guards against respawning in a circle start anew.
	resetRespawnHistory(files, stateDir);
	clearRespawnFailures(files, stateDir);
	clearRespawnAlarm(files, stateDir);
}
