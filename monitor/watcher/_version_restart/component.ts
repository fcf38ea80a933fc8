/** One component's records, brought up to date with the disk (contract 06 §9.4). */
import {
	askForRestart,
	type ComponentDrift,
	readDrift,
	removeDrift,
} from "../../_state/component-drift.ts";
import {
	clearPending,
	readVersionRecord,
	recordPending,
	recordRunning,
} from "../../_state/version-record.ts";
import type { TaskRun, WatcherContext } from "../context.ts";
import { driftStep } from "./drift.ts";

/** One tick of the check. */
export interface VersionCheck {
	readonly run: TaskRun;
	readonly place: Pick<
		WatcherContext,
		"root" | "stateDir" | "codeRoot" | "target" | "config" | "panesThisTick"
	>;
	/** Epoch seconds, at the look at this component. */
	readonly now: number;
	/** How long the disk must be still, seconds. */
	readonly settle: number;
	/** A line for the log, once in the life of the process. */
	readonly sayOnce: (line: string) => void;
}

export interface Drifted {
	readonly old: string;
	readonly hash: string;
}

/** Null: nothing is to be done. `current`: hash of the source on the disk, null = an update is in progress. */
export function settledDrift(
	{ run, place, now, settle }: VersionCheck,
	component: string,
	current: string | null,
): Drifted | null {
	const { files } = run.doors;
	const { stateDir } = place;
	const record = readVersionRecord(files, stateDir, component);
	const verdict = driftStep(record, current, settle, now);
	switch (verdict.kind) {
		case "torn":
			return null;
		case "adopted":
			recordRunning(files, stateDir, component, { hash: verdict.hash, now });
			return null;
		case "unchanged":
			clearPending(files, stateDir, component);
			if (isOutdated(readDrift(files, stateDir, component), verdict.hash))
				removeDrift(files, stateDir, component);
			return null;
		case "pending":
			if (verdict.isNew) {
				recordPending(files, stateDir, component, verdict);
				run.log(`${component}: ${short(verdict.hash)} is on the disk`);
			}
			return null;
		case "drift":
			return verdict;
	}
}

/** Leaves it to a person; told with the next report. False: it could not be written down, and is asked for anew at the next tick. */
export function ask(
	{ run, place, now }: VersionCheck,
	component: string,
	drifted: Drifted,
	extra: Partial<ComponentDrift> = {},
): boolean {
	const asked = askForRestart(run.doors.files, place.stateDir, {
		component,
		old: drifted.old,
		new: drifted.hash,
		note: "",
		window: "",
		windowId: "",
		tmuxServer: "",
		detected: now,
		...extra,
	});
	if (asked === "new")
		run.log(`${component}: runs ${short(drifted.old)}; a restart is asked for`);
	return asked !== "failed";
}

/** What is on the disk counts as running from now on: it has been told, and is not told again. */
export function adopt(
	{ run, place, now }: VersionCheck,
	component: string,
	hash: string,
): void {
	recordRunning(run.doors.files, place.stateDir, component, { hash, now });
}

function isOutdated(asked: ComponentDrift | null, hash: string): boolean {
	return asked !== null && asked.new !== hash;
}

/** A hash as it is told to people. */
export function short(hash: string): string {
	return hash.slice(0, 12);
}
