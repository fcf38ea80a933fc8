/** Notes which source this watcher runs, so that a later change of it on the disk is seen (contract 01 §2.1.11, 06 §9). */
import { join } from "node:path";
import { mtimeOf } from "../../_state/peek.ts";
import { recordRunning } from "../../_state/version-record.ts";
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
	if (found.kind === "torn") return `cannot read ${found.path}`;
	const began = loadingBegan(proc);
	if (began === null) return "nobody can say when this process began to load";
	const changed = found.files.find((name) => {
		const at = mtimeOf(files, join(codeRoot, name));
		return at === null || at > began;
	});
	if (changed !== undefined)
		return `${changed} has changed since this process began to load`;
	const record = { hash: found.hash, now: clock.now() };
	const written = recordRunning(files, stateDir, "watcher", record);
	return written.kind === "failed" ? written.reason : null;
}

/** Epoch seconds, early rather than late: the time of boot is whole seconds. */
function loadingBegan(proc: Doors["proc"]): number | null {
	const boot = proc.bootTime();
	const own = proc.stat(proc.pid);
	if (boot === null || own.kind !== "ok") return null;
	return boot + Number(own.value.startTicks) / proc.ticksPerSecond() - 1;
}
