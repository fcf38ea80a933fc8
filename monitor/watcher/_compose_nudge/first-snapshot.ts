/** The first snapshot of a process is what its first emit waits for (contract 00 R10). */
import { readStaged } from "../../_state/staging.ts";
import type { Files } from "../../_sys/doors.ts";
import type { SchedulerPort } from "../context.ts";

const SNAPSHOT = "snapshot_local";

/** Called with each reaped task; fires `compose_emit` once, when the snapshot is really there. */
export function firstSnapshotNudge(
	files: Files,
	stage: { readonly stageDir: string; readonly startedAt: number },
	scheduler: Pick<SchedulerPort, "fireNow"> & { readonly wake: () => void },
): (task: string) => void {
	let waiting = true;
	return (task) => {
		if (!waiting || task !== SNAPSHOT) return;
		const { stageDir, startedAt } = stage;
		if (readStaged(files, stageDir, SNAPSHOT, startedAt) === null) return;
		waiting = false;
		scheduler.fireNow("compose_emit");
		scheduler.wake();
	};
}
