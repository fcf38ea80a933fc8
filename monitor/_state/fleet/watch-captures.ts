/** `T/agents/<agent>/watch-captures/`: snapshots of a roster and what a watcher last heard of them (contract 09 §12.1). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import { agentDir } from "./store.ts";

/** The default; a caller may name another folder for all of these. */
export function captureDir(thrumDir: string, agent: string): string {
	return join(agentDir(thrumDir, agent), "watch-captures");
}

/** `stamp` sorts by time. */
export function captureFilePath(outDir: string, stamp: string): string {
	return join(outDir, `roster-capture-${stamp}.txt`);
}

/** One line a check, append-only. */
export function rosterCheckPath(outDir: string): string {
	return join(outDir, "roster-check.log");
}

/** Decisions on one pass. */
export function decisionDir(outDir: string, captureId: string): string {
	return join(outDir, "decisions", captureId);
}

/** Records, blobs and sources of all captures. */
export function archiveDir(outDir: string): string {
	return join(outDir, "archive");
}

/** `at` as it shall stand; one line. */
export function logRosterCheck(
	files: Pick<Files, "append">,
	outDir: string,
	at: string,
	text: string,
): WriteResult {
	const path = rosterCheckPath(outDir);
	return files.append(path, `${at} ${text}`, { mode: 0o600 });
}

/** Who could not be seen in the pass before; null: nobody. */
export function readLastFailed(
	files: Pick<Files, "read">,
	outDir: string,
): string | null {
	const read = files.read(join(outDir, ".last-failed-roster"));
	return read.kind === "ok" ? read.text.trim() || null : null;
}

/** "": nobody any more. */
export function writeLastFailed(
	files: Pick<Files, "writeAtomic" | "remove">,
	outDir: string,
	failed: string,
): WriteResult {
	const path = join(outDir, ".last-failed-roster");
	return failed === ""
		? files.remove(path)
		: files.writeAtomic(path, `${failed}\n`, { mode: 0o600, fsync: true });
}

/** When the watcher was last woken. */
export function writeLastEmit(
	files: Pick<Files, "writeAtomic">,
	outDir: string,
	at: string,
): WriteResult {
	const path = join(outDir, ".last-emit");
	return files.writeAtomic(path, `${at}\n`, { mode: 0o600 });
}

/** Once: what older copies kept beside themselves moves in, unless there is an archive already. */
export function adoptLegacyArchive(
	files: Pick<Files, "lstat" | "rename">,
	worktree: string,
	outDir: string,
): WriteResult {
	const legacy = join(worktree, ".thrum-watch/archive");
	if (files.lstat(legacy).kind !== "ok") return { kind: "ok" };
	if (files.lstat(archiveDir(outDir)).kind !== "absent") return { kind: "ok" };
	return files.rename(legacy, archiveDir(outDir));
}
