/** What the other tasks staged for this cycle (contract 01 §4.1, §11.2). */
import { type Bell, parseStagedBells } from "../../_emit/bells.ts";
import type { EmitPlace } from "../../_emit/place.ts";
import type { ProviderRun, StagedRows } from "../../_emit/providers.ts";
import { emptyStaged, readStaged } from "../../_state/staging.ts";

/** Bells of this process's task; none when it staged nothing that can be read. */
export function stagedBells(
	run: ProviderRun,
	place: EmitPlace,
): readonly Bell[] {
	return parseStagedBells(textOf(run, place, "bell_windows"));
}

/** Empty when the task of this process staged nothing that can be read. */
export function stagedRows(
	run: ProviderRun,
	place: EmitPlace,
	{ task }: StagedRows,
): string {
	return textOf(run, place, task);
}

/** After a commit the stage is empty, so that a forced compose does not read delivered rows again. */
export function emptyStage(
	{ doors }: ProviderRun,
	{ stageDir }: EmitPlace,
	{ task }: StagedRows,
): void {
	emptyStaged(doors.files, stageDir, task);
}

function textOf(
	{ doors }: ProviderRun,
	{ stageDir, startedAt }: EmitPlace,
	task: string,
): string {
	return readStaged(doors.files, stageDir, task, startedAt) ?? "";
}
