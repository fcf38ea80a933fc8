/** Which file is the real `thrum` (contract 09 §4): in an agent's session our own shim stands first on PATH. */
import { join } from "node:path";
import type { Doors } from "../../_sys/doors.ts";

export type FoundProgram =
	| { readonly kind: "found"; readonly path: string }
	/** `shims`: how many were skipped. */
	| { readonly kind: "none"; readonly shims: number };

/** The first candidate on PATH that is no shim; a name with a slash is the file itself. */
export function findThrum(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	name: string,
): FoundProgram {
	const folders = (proc.env.PATH ?? "").split(":").filter((dir) => dir !== "");
	const candidates = name.includes("/")
		? [name]
		: folders.map((dir) => join(dir, name));
	let shims = 0;
	for (const path of candidates) {
		const found = files.stat(path);
		if (found.kind !== "ok" || found.stat.kind !== "file") continue;
		if ((found.stat.mode & 0o111) === 0) continue;
		if (!isShim(files.realpath(path) ?? path)) return { kind: "found", path };
		shims++;
	}
	return { kind: "none", shims };
}

/** `T/bin/thrum` of any fleet. */
function isShim(realPath: string): boolean {
	return realPath.endsWith(".thrum/bin/thrum");
}
