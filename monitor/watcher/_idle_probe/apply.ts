/** The writing half of a sweep: what each window's files say afterwards, and which windows are forgotten (contract 03 §12.3). */
import {
	childrenSincePath,
	writeChildrenSince,
} from "../../_state/background-children.ts";
import {
	backgroundProgressPath,
	writeBackgroundProgress,
} from "../../_state/background-progress.ts";
import {
	readEngagementLog,
	writeEngagementLog,
} from "../../_state/engagement-log.ts";
import {
	readPreviousWindows,
	writePreviousWindows,
} from "../../_state/idle-probe-previous-windows.ts";
import { pruneMachineInput } from "../../_state/machine-input.ts";
import {
	machineSubmitPath,
	writeMachineSubmit,
} from "../../_state/machine-submit.ts";
import {
	readOperatorEngaged,
	writeOperatorEngaged,
} from "../../_state/operator-engaged.ts";
import { paneChangePath, writePaneChange } from "../../_state/pane-change.ts";
import { userPromptPath } from "../../_state/user-prompt.ts";
import { isFileName, removeWindowFile } from "../../_state/window-file.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { WorkerVerdict } from "./worker.ts";

/** Without an await from its first read to its last write: a delivery that commits beside it loses nothing. */
export function applySweep(
	doors: Doors,
	stateDir: string,
	workers: readonly WorkerVerdict[],
): void {
	const live = new Set(workers.map((w) => w.facts.window));
	const gone = goneWindows(doors, stateDir, live);
	for (const window of gone) forgetWindow(doors, stateDir, window);
	pruneMachineInput(doors.files, stateDir, gone);
	for (const worker of workers) rememberWindow(doors, stateDir, worker);
	writeMarks(doors, stateDir, workers, gone);
	const known = writeEngagements(doors, stateDir, workers, gone);
	writePreviousWindows(doors.files, stateDir, [
		...new Set([...live, ...known]),
	]);
}

/** Known at the last sweep, no workers now: a new window of that name must not inherit an age or a wrap-up. */
function goneWindows(
	doors: Doors,
	stateDir: string,
	live: ReadonlySet<string>,
): ReadonlySet<string> {
	const read = readPreviousWindows(doors, stateDir);
	const before = read.kind === "ok" ? read.rows : [];
	return new Set(before.filter((window) => !live.has(window)));
}

function forgetWindow(doors: Doors, stateDir: string, window: string): void {
	const { files } = doors;
	for (const path of [
		isFileName(window) ? userPromptPath(stateDir, window) : null,
		paneChangePath(stateDir, window),
		machineSubmitPath(stateDir, window),
		backgroundProgressPath(stateDir, window),
		childrenSincePath(stateDir, window),
	])
		removeWindowFile(files, path);
}

function rememberWindow(
	{ files }: Doors,
	stateDir: string,
	{ facts, next }: WorkerVerdict,
): void {
	const { window } = facts;
	const { change, progress, machineSubmitAt, childrenSince } = next;
	if (change !== null && change !== facts.change)
		writePaneChange(files, stateDir, window, change);
	if (progress !== null && progress !== facts.progress)
		writeBackgroundProgress(files, stateDir, window, progress);
	if (childrenSince !== facts.childrenSince)
		writeChildrenSince(files, stateDir, window, childrenSince);
	if (machineSubmitAt !== null && machineSubmitAt !== facts.machineSubmitAt)
		writeMachineSubmit(files, stateDir, window, machineSubmitAt);
}

function writeMarks(
	doors: Doors,
	stateDir: string,
	workers: readonly WorkerVerdict[],
	gone: ReadonlySet<string>,
): void {
	const read = readOperatorEngaged(doors, stateDir);
	if (read.kind !== "ok") return;
	const marks = new Map(read.rows.map((row) => [row.window, row]));
	for (const window of gone) marks.delete(window);
	for (const { facts, next } of workers)
		if (next.mark !== facts.mark)
			marks.set(facts.window, { ...next.mark, window: facts.window });
	writeOperatorEngaged(doors.files, stateDir, [...marks.values()]);
}

/** The names that the log knows afterwards. */
function writeEngagements(
	doors: Doors,
	stateDir: string,
	workers: readonly WorkerVerdict[],
	gone: ReadonlySet<string>,
): readonly string[] {
	const read = readEngagementLog(doors, stateDir);
	if (read.kind !== "ok") return [];
	const rows = new Map(read.rows.map((row) => [row.window, row.at]));
	for (const window of gone) rows.delete(window);
	for (const { facts, next } of workers) rows.set(facts.window, next.engagedAt);
	writeEngagementLog(
		doors.files,
		stateDir,
		[...rows].map(([window, at]) => ({ window, at })),
	);
	return [...rows.keys()];
}
