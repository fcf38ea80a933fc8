/** The folders of `T`, and the line that keeps them out of git (contract 09 §6.1). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";

/** Parents first. */
const DIRS: readonly string[] = [
	"registry",
	"agents",
	"messages",
	"inbox",
	"sent",
	"nudges",
	"monitors",
	"state",
	"var",
	"var/log",
	"bin",
];
const IGNORED = ".thrum/";

/**
 * Makes what is missing. `excludeFile` is the repository's own `info/exclude`, never a tracked file; null: there is no
 * git here.
 */
export function ensureStore(
	files: Files,
	thrumDir: string,
	excludeFile: string | null,
): WriteResult {
	for (const dir of DIRS) {
		const made = files.mkdir(join(thrumDir, dir), 0o700);
		if (made.kind !== "ok") return made;
	}
	return excludeFile === null ? { kind: "ok" } : ignore(files, excludeFile);
}

/** Folders of the store that are not there yet, parents first; for whoever has to undo what `ensureStore` makes. */
export function missingFolders(
	files: Pick<Files, "lstat">,
	thrumDir: string,
): readonly string[] {
	return [thrumDir, ...DIRS.map((dir) => join(thrumDir, dir))].filter(
		(path) => files.lstat(path).kind === "absent",
	);
}

/** Those of `folders` that hold nothing, children first. */
export function removeEmptyFolders(
	files: Pick<Files, "list" | "removeTree">,
	folders: readonly string[],
): void {
	for (const path of folders.toReversed()) {
		const inside = files.list(path);
		if (inside.kind === "ok" && inside.names.length === 0)
			files.removeTree(path);
	}
}

/** Is the store kept out of git already? Could not look counts as yes. */
export function isIgnored(
	files: Pick<Files, "read">,
	excludeFile: string,
): boolean {
	const read = files.read(excludeFile);
	if (read.kind !== "ok") return read.kind === "unreadable";
	return read.text.split("\n").some(isOwnLine);
}

/** Takes the line out that `ensureStore` has added; the rest stays as it is. */
export function unignore(
	files: Pick<Files, "read" | "stat" | "writeAtomic">,
	excludeFile: string,
): WriteResult {
	const read = files.read(excludeFile);
	const found = files.stat(excludeFile);
	if (read.kind !== "ok" || found.kind !== "ok") return { kind: "ok" };
	const lines = read.text.split("\n").filter((line) => !isOwnLine(line));
	const mode = found.stat.mode & 0o777;
	return files.writeAtomic(excludeFile, lines.join("\n"), { mode });
}

/** What belongs to one agent: its parameters, its captures, its counts. */
export function agentDir(thrumDir: string, agent: string): string {
	return join(thrumDir, "agents", agent);
}

/** In front of an agent's PATH: holds the `thrum` of this fleet. */
export function binDir(thrumDir: string): string {
	return join(thrumDir, "bin");
}

/** The runtime's launcher, `T/agents/<agent>/launch`. */
export function launcherPath(thrumDir: string, agent: string): string {
	return join(agentDir(thrumDir, agent), "launch");
}

/** The first prompt of an agent, `T/agents/<agent>/brief.md`. */
export function briefPath(thrumDir: string, agent: string): string {
	return join(agentDir(thrumDir, agent), "brief.md");
}

function ignore(files: Files, excludeFile: string): WriteResult {
	const read = files.read(excludeFile);
	if (read.kind === "unreadable")
		return { kind: "failed", code: "EIO", reason: read.reason };
	if (isIgnored(files, excludeFile)) return { kind: "ok" };
	files.mkdir(join(excludeFile, ".."));
	return files.append(excludeFile, IGNORED);
}

function isOwnLine(line: string): boolean {
	return line.trim() === IGNORED;
}
