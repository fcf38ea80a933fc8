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

/** The first one that is whole stands: what came after it is in the next comparison anyway. */
export function keepUntoldBaseline(
	doors: StateDoors,
	stateDir: string,
	baseline: string,
): WriteResult {
	const standing = readUntoldBaseline(doors, stateDir).kind;
	if (standing === "ok" || standing === "unreadable") return { kind: "ok" };
	const path = untoldBaselinePath(stateDir);
	return doors.files.writeAtomic(path, baseline, { fsync: true });
}

/** After a report that arrived. */
export function dropUntoldBaseline(
	files: Files,
	stateDir: string,
): WriteResult {
	return files.remove(untoldBaselinePath(stateDir));
}
