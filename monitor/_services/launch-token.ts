/** What a launch command runs, as far as its text tells: a word to know its process by, and its script. Pure but for looking at files. */
import { basename, dirname, isAbsolute, join } from "node:path";
import type { ServiceRow } from "../_state/services-registry.ts";
import type { Files } from "../_sys/doors.ts";
import { type SourceHash, sourceHash } from "../_sys/source-hash.ts";

/** Words that hand over to the next one. */
const PREFIXES = new Set(["exec", "nohup", "setsid", "command"]);

/**
 * Basename of the command's first word, behind assignments and `exec`; null when only a shell could tell what it is
 * (`$VARIABLE`, substitutions). The command line of its process holds it (contract 06 §3).
 */
export function launchToken(launch: string): string | null {
	const first = words(launch).find(
		(w) => !isAssignment(w) && !PREFIXES.has(w.text),
	);
	if (first === undefined) return null;
	const name = basename(first.text);
	return name === "" || first.opaque ? null : name;
}

/**
 * Is it one command, so that its process wears its first word? Of `touch x; exec serve` nobody can tell from outside
 * what it has become.
 */
export function isOneCommand(launch: string): boolean {
	const bare = launch.replace(QUOTED, "").replace(/\d*>&\d*-?|&>>?/g, "");
	return !/[;&|\n]/.test(bare);
}

/** The first word, assignments skipped, that names a file, relative to the folder; null: not version managed (§9.1). */
export function launchScript(
	files: Pick<Files, "stat">,
	row: Pick<ServiceRow, "launch" | "workdir">,
): string | null {
	for (const word of words(row.launch)) {
		if (isAssignment(word) || word.text === "") continue;
		const path = isAbsolute(word.text)
			? word.text
			: join(row.workdir, word.text);
		const found = files.stat(path);
		if (found.kind === "ok" && found.stat.kind === "file") return path;
	}
	return null;
}

/** Hash of what a service runs (§9.2); null when it is not version managed. */
export function serviceSourceHash(
	files: Pick<Files, "stat" | "read">,
	row: Pick<ServiceRow, "launch" | "workdir">,
): SourceHash | null {
	const script = launchScript(files, row);
	if (script === null) return null;
	return sourceHash(files, dirname(script), basename(script));
}

interface Word {
	readonly text: string;
	/** Its last path segment holds what only a shell can resolve. */
	readonly opaque: boolean;
}

/** `\x`, `"…"`, `'…'`: text, whatever stands in it. */
const QUOTED = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/g;

/** Words as a shell would cut them: quotes taken off, `\` honoured. Operators stay where they stand. */
function words(line: string): readonly Word[] {
	const found = line.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g);
	return (found ?? []).map((raw) => ({
		text: raw.replace(
			QUOTED,
			(_, escaped, double, single) =>
				escaped ?? double?.replace(/\\(.)/g, "$1") ?? single ?? "",
		),
		opaque: /[$`*?]/.test(basename(raw)),
	}));
}

function isAssignment({ text }: Word): boolean {
	return /^[A-Za-z_][A-Za-z0-9_]*=/.test(text);
}
