/** `.tmp-dir-reaped-warned`: when the operator was last told that something deletes the watcher's scratch folder (contract 01 §11.1). */
import { join } from "node:path";
import { ageSeconds } from "../_sys/age.ts";
import type { Clock, Files } from "../_sys/doors.ts";
import { mtimeOf } from "./peek.ts";

const EVERY_SECONDS = 600;

function tmpDirReapedPath(stateDir: string): string {
	return join(stateDir, ".tmp-dir-reaped-warned");
}

/** True at most once in ten minutes; takes the turn. */
export function mayWarnOfReaping(
	doors: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
): boolean {
	const path = tmpDirReapedPath(stateDir);
	const last = mtimeOf(doors.files, path);
	const age = ageSeconds(doors.clock.now(), last, EVERY_SECONDS);
	if (age !== null && age < EVERY_SECONDS) return false;
	doors.files.touch(path, { create: true });
	return true;
}
