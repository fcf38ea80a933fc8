/** Baseline and current snapshot, and what changed between them (contract 01 §11.1, §11.2). */
import { join } from "node:path";
import { classifyDiff } from "../../_emit/classify-diff.ts";
import { diffHead, localDiff, shownLines } from "../../_emit/local-diff.ts";
import type { EmitPlace } from "../../_emit/place.ts";
import type { ProviderRun } from "../../_emit/providers.ts";
import { formatLine } from "../../_emit/snapshot.ts";
import { toldPart } from "../../_emit/told-part.ts";
import {
	lastSnapshotPath,
	parseSnapshot,
	readLastSnapshot,
	writeLastSnapshot,
} from "../../_state/last-snapshot.ts";
import { readStaged } from "../../_state/staging.ts";
import { mayWarnOfReaping } from "../../_state/tmp-dir-reaped.ts";
import {
	readUntoldBaseline,
	untoldBaselinePath,
} from "../../_state/untold-baseline.ts";
import { appendAlert } from "../../_state/watcher-alerts.ts";

export type LocalState =
	/** The baseline is the current snapshot now. `lost`: nobody knows what changed since the old one. */
	| { readonly kind: "reseeded"; readonly lost: boolean }
	| {
			readonly kind: "compared";
			/** What the diff starts from: the baseline, or an older one that nobody was told about. */
			readonly since: string;
			readonly current: string;
			/** What a report of it tells: `current`, or as much of the way there as it prints. */
			readonly told: string;
			/** Empty: nothing changed. */
			readonly diff: string;
			readonly signal: boolean;
			readonly noiseSummary: string;
			/** False: the baseline could not be read, and must not be replaced by what nobody compared. */
			readonly baselineRead: boolean;
			/** False: it changed, and nobody could see how. */
			readonly isShown: boolean;
	  };

/** The staged snapshot of this process; null: there is none, or what lies there is no snapshot and must not become the baseline. */
export function currentSnapshot(
	{ doors }: Pick<ProviderRun, "doors">,
	{ stageDir, startedAt }: EmitPlace,
): string | null {
	const staged = readStaged(doors.files, stageDir, "snapshot_local", startedAt);
	return staged === null ? null : parseSnapshot(staged);
}

/**
 * `reseeded`: there was no baseline to compare with, and `current` is one now. A baseline that cannot be read claims
 * no change.
 */
export async function lookAtLocalState(
	run: ProviderRun,
	place: EmitPlace,
	current: string,
): Promise<LocalState> {
	const { doors } = run;
	const { stateDir } = place;
	const baseline = readLastSnapshot(doors, stateDir);
	const unchanged = {
		kind: "compared",
		since: "",
		current,
		told: current,
		diff: "",
		signal: false,
		noiseSummary: "",
		baselineRead: true,
		isShown: true,
	} as const;
	switch (baseline.kind) {
		case "unreadable":
			// Could not look: no local change is claimed, and everything else goes on.
			doors.log.warn(`baseline could not be read: ${baseline.why}`);
			return { ...unchanged, baselineRead: false };
		case "absent":
		case "damaged":
			writeLastSnapshot(doors.files, stateDir, current);
			return { kind: "reseeded", lost: baseline.kind === "damaged" };
		case "ok":
			break;
	}
	const untold = readUntoldBaseline(doors, stateDir);
	const since =
		untold.kind === "ok" && formatLine(untold.value) === formatLine(current)
			? untold.value
			: baseline.value;
	if (since === current) return unchanged;
	if (formatLine(baseline.value) !== formatLine(current)) {
		doors.log.info(
			`snapshot format changed (${formatLine(baseline.value)} → ${formatLine(current)}): baseline reseeded`,
		);
		writeLastSnapshot(doors.files, stateDir, current);
		return { kind: "reseeded", lost: false };
	}
	const path =
		since === baseline.value
			? lastSnapshotPath(stateDir)
			: untoldBaselinePath(stateDir);
	return {
		...unchanged,
		since,
		...(await compare(run, place, path, since, current)),
	};
}

async function compare(
	{ doors, signal }: ProviderRun,
	{ config, scratchDir }: EmitPlace,
	sincePath: string,
	since: string,
	current: string,
) {
	const path = join(scratchDir, "compose-current");
	const written = doors.files.writeAtomic(path, current);
	const diff =
		written.kind === "ok"
			? await localDiff(doors.proc, sincePath, path, signal)
			: { kind: "unknown" as const, reason: written.reason };
	if (diff.kind === "differs") {
		const { signal, summary } = classifyDiff(diff.text);
		const shown = shownLines(config.MONITOR_EMIT_SECTION_MAX_LINES);
		return {
			diff: diffHead(diff.text),
			told: toldPart(since, current, diff.text, shown),
			signal,
			noiseSummary: summary,
			isShown: true,
		};
	}
	// The texts differ, so this is news even when nobody can say what.
	const why = diff.kind === "unknown" ? diff.reason : "diff sees none";
	return {
		diff: `(the snapshot changed, but the change cannot be shown: ${why})\n`,
		signal: classifyDiff(null).signal,
		noiseSummary: "",
		isShown: false,
	};
}

/** A tmp reaper once silently killed every later emit: the folder is made anew, and the operator told. */
export function keepScratchDir(
	{ doors }: Pick<ProviderRun, "doors">,
	{ scratchDir, stateDir }: EmitPlace,
): void {
	if (doors.files.stat(scratchDir).kind !== "absent") return;
	doors.files.mkdir(scratchDir, 0o700);
	const text = `the scratch folder ${scratchDir} was deleted from outside; made anew`;
	doors.log.warn(text);
	if (mayWarnOfReaping(doors, stateDir))
		appendAlert(doors, stateDir, "WARN", text);
}
