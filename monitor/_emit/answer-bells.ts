/** After a report with bells: the bells are cleared, and what is staged and compared says so (contract 01 §11.4). */
import { emptyStaged, readStaged, stageOut } from "../_state/staging.ts";
import type { Bell } from "./bells.ts";
import { clearBells } from "./clear-bells.ts";
import type { EmitPlace } from "./place.ts";
import type { ProviderRun } from "./providers.ts";
import { withBellsOf } from "./snapshot.ts";

/** Clears the bells; answers the function that brings a snapshot up to date with it. */
export async function answerBells(
	run: ProviderRun,
	place: EmitPlace,
	bells: readonly Bell[],
): Promise<(snapshot: string) => string> {
	const { doors, signal } = run;
	const { stageDir, startedAt } = place;
	const names = new Set(bells.map(({ name }) => name));
	await clearBells(doors, names, signal);
	emptyStaged(doors.files, stageDir, "bell_windows");
	const panes = await doors.tmux.panes(signal);
	if (panes.kind !== "ok") return (snapshot) => snapshot;
	const answered = (snapshot: string): string =>
		withBellsOf(snapshot, names, panes.rows);
	// The staged snapshot too, or the next compose would report the bell as new.
	const staged = readStaged(doors.files, stageDir, "snapshot_local", startedAt);
	if (staged)
		stageOut(
			doors.files,
			stageDir,
			"snapshot_local",
			answered(staged),
			startedAt,
		);
	return answered;
}
