/** Notes which source this watcher runs, so that a later change of it on the disk is seen (contract 01 §2.1.11, 06 §9). */
import { join } from "node:path";
import { mtimeOf } from "../../_state/peek.ts";
import {
	readVersionRecord,
	recordRunning,
} from "../../_state/version-record.ts";
import type { Doors } from "../../_sys/doors.ts";
import { programName } from "../../_sys/names.ts";
import { sourceHash } from "../../_sys/source-hash.ts";
import type { WatcherContext } from "../context.ts";

/**
 * Null, or why nothing was recorded. Only what is on the disk can be hashed, so a file that changed since this process
 * began to load is no record of it: then the predecessor's record stands, and the difference counts as a change.
 */
export function recordSource(
	{ files, clock, proc }: Pick<Doors, "files" | "clock" | "proc">,
	{ codeRoot, stateDir }: Pick<WatcherContext, "codeRoot" | "stateDir">,
): string | null {
	const found = sourceHash(files, codeRoot, programName("watcherMain"));
	// An update is in progress.
	if (found.kind === "torn") {
		notWhatRuns({ files, stateDir, now: clock.now() });
		return `cannot read ${found.path}`;
	}
	const began = loadingBegan(proc);
	if (began === null) return "nobody can say when this process began to load";
	const now = clock.now();
	const changed = found.files.find((name) => {
		const at = mtimeOf(files, join(codeRoot, name));
		// A time ahead of now is another clock's, and would count as a change at every start.
		return at === null || (at > began && at <= now);
	});
	if (changed !== undefined) {
		notWhatRuns({ files, stateDir, now });
		return `${changed} has changed since this process began to load`;
	}
	const record = { hash: found.hash, now };
	const written = recordRunning(files, stateDir, "watcher", record);
	return written.kind === "failed" ? written.reason : null;
}

/** A first start has no predecessor's record, and without one the disk would be taken for what runs. */
function notWhatRuns(at: {
	readonly files: Doors["files"];
	readonly stateDir: string;
	readonly now: number;
}): void {
	const { files, stateDir, now } = at;
	if (readVersionRecord(files, stateDir, "watcher").running === null)
		recordRunning(files, stateDir, "watcher", { hash: UNKNOWN, now });
}

/** No hash: whatever the disk holds once it is still differs from it. */
const UNKNOWN = "changed-while-loading";

/** Epoch seconds, early rather than late: the time of boot is whole seconds. */
function loadingBegan(proc: Doors["proc"]): number | null {
	const boot = proc.bootTime();
	const own = proc.stat(proc.pid);
	if (boot === null || own.kind !== "ok") return null;
	return boot + Number(own.value.startTicks) / proc.ticksPerSecond() - 1;
}
