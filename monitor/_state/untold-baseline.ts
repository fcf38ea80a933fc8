/**
 * `untold-baseline.txt`: the baseline of the last report that arrived, for as long as a later one
 * with local changes did not. `last-snapshot.txt` moves on whatever came of a report (contract 01
 * §11.6); by this the next report still says everything that nobody was told.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { readState, type StateDoors, type StateRead } from "./damaged.ts";
import { parseSnapshot } from "./last-snapshot.ts";

export function untoldBaselinePath(stateDir: string): string {
	return join(stateDir, "untold-baseline.txt");
}

/** `absent`: everything was told. */
export function readUntoldBaseline(
	doors: StateDoors,
	stateDir: string,
): StateRead<string> {
	return readState(
		doors,
		stateDir,
		untoldBaselinePath(stateDir),
		parseSnapshot,
	);
}

/** The first one stands: what came after it is in the next comparison anyway. */
export function keepUntoldBaseline(
	files: Files,
	stateDir: string,
	baseline: string,
): WriteResult {
	const path = untoldBaselinePath(stateDir);
	if (files.stat(path).kind !== "absent") return { kind: "ok" };
	return files.writeAtomic(path, baseline, { fsync: true });
}

/** After a report that arrived. */
export function dropUntoldBaseline(
	files: Files,
	stateDir: string,
): WriteResult {
	return files.remove(untoldBaselinePath(stateDir));
}
