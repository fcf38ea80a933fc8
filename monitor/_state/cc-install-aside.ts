/**
 * `cc-install-aside`: `<path>⇥<where it lies>`, what an install of Claude Code has moved out of the way and not yet
 * replaced (contract 06 §11.3). One that was killed leaves it; the next puts the working copy back by it.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateDoors } from "./damaged.ts";
import { readRows, writeRows } from "./rows-file.ts";

export interface MovedAside {
	readonly path: string;
	readonly kept: string;
}

function ccInstallAsidePath(stateDir: string): string {
	return join(stateDir, "cc-install-aside");
}

/** Empty when there are none, or none that can be read; a damaged file is set aside. */
export function readCcInstallAside(
	doors: StateDoors,
	stateDir: string,
): readonly MovedAside[] {
	const path = ccInstallAsidePath(stateDir);
	const read = readRows(doors, stateDir, path, (line) => {
		const [from = "", kept = ""] = line.split("\t");
		return from === "" || kept === "" ? null : { path: from, kept };
	});
	return read.kind === "ok" ? read.rows : [];
}

/** None removes it. */
export function writeCcInstallAside(
	files: Files,
	stateDir: string,
	moved: readonly MovedAside[],
): WriteResult {
	const lines = moved.map(({ path, kept }) => `${path}\t${kept}`);
	return writeRows(files, ccInstallAsidePath(stateDir), lines);
}
