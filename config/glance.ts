/** The running watcher's look at its file: an edit is noticed and reported, never used (contract 07 §8.7). */
import type { FileStat } from "../monitor/_sys/doors.ts";
import { programName } from "../monitor/_sys/names.ts";
import { type Choice, chooseConfigFile } from "./choose.ts";
import { type LoadFrom, type LoadResult, loadConfig } from "./read.ts";
import { issueLine, notFoundLine } from "./report.ts";
import { findStall } from "./stall.ts";
import type { ConfigFile } from "./watcher.ts";

export interface GlanceState {
	/** The file that runs. */
	readonly running: ConfigFile;
	/** Path, size and mtime as last seen. */
	readonly seen: string;
	/** Contents that have been spoken of. */
	readonly said: ReadonlySet<string>;
}

export interface GlanceSays {
	/** For the log; a bad edit also goes to `watcher-alerts.log` and rings the bell. */
	readonly lines: readonly string[];
	readonly alarm: boolean;
}

/** State after a start; the first glance reads in any case, for the file may have moved since. */
export function startGlance(running: ConfigFile): GlanceState {
	return { running, seen: "", said: new Set() };
}

/** One glance. Reads the file only when its path, size, mode or mtime has moved. */
export async function glance(
	from: LoadFrom,
	state: GlanceState,
): Promise<{ readonly state: GlanceState; readonly says: GlanceSays | null }> {
	// A stalled disk is no edit, and must not stop the loop.
	if ((await findStall(from)) !== null) return { state, says: null };
	const seen = fingerprint(chooseConfigFile(from.env, from.root, from.files));
	if (seen === state.seen) return { state, says: null };
	return decideGlance({ ...state, seen }, await loadConfig(from));
}

/** Pure: what to say about a file that has moved. Once per distinct content, however long it stays. */
function decideGlance(
	state: GlanceState,
	loaded: LoadResult,
): { readonly state: GlanceState; readonly says: GlanceSays | null } {
	if (loaded.kind === "none" && state.running.sha256 === "")
		return { state, says: null };
	const content = contentOf(loaded);
	if (state.said.has(content)) return { state, says: null };
	const said = { ...state, said: new Set([...state.said, content]) };
	if (loaded.kind === "ok") {
		if (isRunning(state.running, loaded)) return { state, says: null };
		const line = `config: ${loaded.path} changed (${loaded.sha256.slice(0, 12)}): ${programName("svc")} restart watcher applies it`;
		return { state: said, says: { lines: [line], alarm: false } };
	}
	const what =
		loaded.kind === "none"
			? [notFoundLine("config", loaded.tried)]
			: loaded.issues.map((issue) => issueLine(loaded.path, issue));
	const still = `config: edit ignored, still running on ${state.running.sha256.slice(0, 12)}`;
	return { state: said, says: { lines: [...what, still], alarm: true } };
}

function isRunning(
	running: ConfigFile,
	now: { readonly path: string; readonly sha256: string },
): boolean {
	return running.path === now.path && running.sha256 === now.sha256;
}

/** What makes two states of the disk the same edit. */
function contentOf(loaded: LoadResult): string {
	if (loaded.kind === "none") return "none";
	if (loaded.kind === "ok" || loaded.sha256 !== null)
		return `${loaded.path} ${loaded.sha256}`;
	return [loaded.path, ...loaded.issues.map((i) => i.message)].join(" ");
}

function fingerprint(choice: Choice): string {
	if (choice.kind === "none") return "none";
	if (choice.kind === "bad") return `${choice.path} ${choice.reason}`;
	return `${choice.path} ${stamp(choice.stat)}`;
}

/** The mode, too: a file that became writable to others is refused, though its text stayed. */
function stamp(stat: FileStat): string {
	return [stat.mtimeMs, stat.size, stat.mode, stat.ino].join(" ");
}
