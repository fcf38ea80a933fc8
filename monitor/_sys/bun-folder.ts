/** A folder that holds a program named `bun`, for the front of a PATH (contract 00 R13). */
import { dirname, join } from "node:path";
import type { Files, Proc } from "./doors.ts";

/** Null when there is none: the file that runs us may bear another name (`bun.exe`). */
export function bunFolder(
	files: Pick<Files, "stat">,
	proc: Pick<Proc, "execPath">,
	codeRoot: string,
): string | null {
	const folders = [dirname(proc.execPath), join(codeRoot, "node_modules/.bin")];
	return (
		folders.find((dir) => files.stat(join(dir, "bun")).kind === "ok") ?? null
	);
}
