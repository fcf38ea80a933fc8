/** `gh-bypass-warnings.log`: GitHub writes that would go out under the operator's own name, a line each (contract 08 §2.2). */
import { join } from "node:path";
import type { EverydayFiles, WriteResult } from "../_sys/doors.ts";
import { firstCharacters } from "./first-characters.ts";

export interface GhBypass {
	/** UTC, `YYYY-MM-DDTHH:MM:SSZ`. */
	readonly ts: string;
	readonly window: string;
	readonly command: string;
}

const COMMAND_CHARACTERS = 4000;

function ghBypassWarningsPath(stateDir: string): string {
	return join(stateDir, "gh-bypass-warnings.log");
}

/** A command of several lines becomes one: a log line is a line. */
function renderGhBypass({ ts, window, command }: GhBypass): string {
	const plain = firstCharacters(command, COMMAND_CHARACTERS).replace(
		/[\0-\x1f\x7f]+/g,
		" ",
	);
	return `${ts}\twindow=${window}\tcmd=${plain}\n`;
}

/** Makes the folder, for a hook may be the first to write. */
export function appendGhBypass(
	files: EverydayFiles,
	stateDir: string,
	row: GhBypass,
): WriteResult {
	files.mkdir(stateDir);
	return files.append(ghBypassWarningsPath(stateDir), renderGhBypass(row), {
		mode: 0o640,
	});
}
