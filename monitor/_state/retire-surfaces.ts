/**
 * Everything that the state dir holds of one window (contract 08 §9.3): the one list that pruning, checking and tests
 * read. A surface that a hand-copied list forgot once kept a dead window in the idle section for ever.
 */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { column } from "./rows-file.ts";
import { windowFile } from "./window-file.ts";
import { windowKey } from "./window-key.ts";

/** In a path `<w>` is the window's name as it is, `<k>` its key, `<s>` its name with `_` for other characters. */
export type RetireSurface =
	| { readonly kind: "file" | "dir"; readonly path: string }
	/** Files that begin so; `rest` keeps apart windows whose names begin alike (`w` and `w.1`). */
	| { readonly kind: "prefix"; readonly path: string; readonly rest: RegExp }
	/** Rows whose first column is the name. */
	| { readonly kind: "rows"; readonly path: string };

const FILES = [
	"user-prompt/<w>",
	"machine-submit/<w>",
	"heartbeat/<w>.json",
	"pane-change/<w>",
	"spawn-prompts/<w>.txt",
	"worker-health/<w>.json",
	"background-progress/<w>",
	"bg-backoff/<w>",
	"bg-firstseen/<w>",
	"windows/<k>.json",
	"skeptic/pending/<k>",
	"paste-leftover/<w>",
	"paste-deferral/<w>",
	"pending-tool/<w>.json",
	"over-limit/<w>.json",
	"turn-failure/<w>.json",
	"loop-stop/<w>.flag",
	"orphan-async-woken/<k>",
] as const;
const ROWS = [
	"idle-state.tsv",
	"engagement-log.tsv",
	"operator-engaged.tsv",
	"over-limit-state.tsv",
	"machine-input.tsv",
	"orphan-async-state.tsv",
	"pending-decisions-emit-state.tsv",
] as const;

/** The action log, the reports and what jobs left (`async-run/`) are an audit trail: they stay. */
export const RETIRE_SURFACES: readonly RetireSurface[] = [
	...FILES.map((path) => ({ kind: "file", path }) as const),
	{ kind: "dir", path: "skeptic/<k>" },
	{
		kind: "prefix",
		path: "decisions/<w>.",
		rest: /^[0-9a-f]{12}(?:\.handled)?\.json$/,
	},
	{ kind: "prefix", path: "footgun-seen/<s>.", rest: /^[^.]+$/ },
	...ROWS.map((path) => ({ kind: "rows", path }) as const),
];

/** What still refers to the window, as paths below the state dir; `<file> (unreadable)` where that could not be seen. */
export function stateRefsWindow(
	files: Files,
	stateDir: string,
	window: string,
): readonly string[] {
	return RETIRE_SURFACES.flatMap((s) => refsOf(files, stateDir, window, s));
}

/** Removes each surface as far as that goes; whether all went, `stateRefsWindow` tells. */
export function pruneWindowState(
	files: Files,
	stateDir: string,
	window: string,
): void {
	for (const surface of RETIRE_SURFACES)
		if (surface.kind === "rows")
			dropRows(files, join(stateDir, surface.path), window);
		else
			for (const ref of refsOf(files, stateDir, window, surface))
				files.removeTree(join(stateDir, ref));
}

/** Relative path of a surface; null when the name is no file name: then it has no such file. */
export function surfacePath(
	surface: RetireSurface,
	window: string,
): string | null {
	if (windowFile("", window) === null) return null;
	return surface.path
		.replace("<w>", () => window)
		.replace("<k>", () => windowKey(window))
		.replace("<s>", () => window.replace(/[^A-Za-z0-9_-]/g, "_"));
}

function refsOf(
	files: Files,
	stateDir: string,
	window: string,
	surface: RetireSurface,
): readonly string[] {
	const path = surfacePath(surface, window);
	if (path === null) return [];
	const full = join(stateDir, path);
	switch (surface.kind) {
		case "file":
		case "dir": {
			const found = files.lstat(full);
			if (found.kind === "absent") return [];
			return [found.kind === "ok" ? path : unreadable(path)];
		}
		case "prefix":
			return filesLike(files, stateDir, path, surface.rest);
		case "rows": {
			const read = files.read(full);
			if (read.kind === "absent") return [];
			if (read.kind === "unreadable") return [unreadable(path)];
			return read.text.split("\n").some(isRowOf(window)) ? [path] : [];
		}
	}
}

function filesLike(
	files: Files,
	stateDir: string,
	path: string,
	rest: RegExp,
): readonly string[] {
	const slash = path.indexOf("/");
	const folder = path.slice(0, slash);
	const front = path.slice(slash + 1);
	const listed = files.list(join(stateDir, folder));
	if (listed.kind === "absent") return [];
	if (listed.kind === "unreadable") return [unreadable(path)];
	return listed.names
		.filter((name) => name.startsWith(front))
		.filter((name) => rest.test(name.slice(front.length)))
		.map((name) => `${folder}/${name}`);
}

/** No rows, no file: zero bytes would read as damage. */
function dropRows(files: Files, path: string, window: string): void {
	const read = files.read(path);
	if (read.kind !== "ok") return;
	const lines = read.text.split("\n");
	const kept = lines.filter((line) => !isRowOf(window)(line));
	if (kept.length === lines.length) return;
	const text = kept.join("\n");
	if (text === "") files.remove(path);
	else files.writeAtomic(path, text, { mode: modeOf(files, path) });
}

function modeOf(files: Files, path: string): number | undefined {
	const found = files.stat(path);
	return found.kind === "ok" ? found.stat.mode & 0o777 : undefined;
}

function isRowOf(window: string): (line: string) => boolean {
	const name = column(window);
	return (line) => line.split("\t", 1)[0] === name && line !== "";
}

function unreadable(path: string): string {
	return `${path} (unreadable)`;
}
