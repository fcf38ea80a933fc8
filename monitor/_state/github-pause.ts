/**
 * `github-pause-<bucket>`: no REST call before a moment, for whoever shares this state dir (contract
 * 02 §2.5). Written by any caller that met a limit, read by every caller.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { readState, type StateDoors, type StateRead } from "./damaged.ts";
import { digits, parseKv, renderKv } from "./kv.ts";

/** `app`: calls signed as the App. `core`: REST calls of the installation. */
export type PauseBucket = "app" | "core";

export interface GitHubPause {
	/** Epoch seconds. */
	readonly until: number;
	/** When the limit was met, epoch seconds. */
	readonly armed: number;
	/** Secondary limits in a row, this one counted; 0 after a primary one. */
	readonly streak: number;
	readonly limit: "primary" | "secondary";
}

/** One file a bucket of GitHub's limits. */
export function gitHubPausePath(stateDir: string, bucket: PauseBucket): string {
	return join(stateDir, `github-pause-${bucket}`);
}

/** Null for text that is not of the format. */
export function parseGitHubPause(text: string): GitHubPause | null {
	const kv = parseKv(text);
	const until = digits(kv.get("until"));
	const armed = digits(kv.get("armed"));
	const streak = digits(kv.get("streak"));
	const limit = kv.get("kind");
	if (until === null || armed === null || streak === null) return null;
	if (limit !== "primary" && limit !== "secondary") return null;
	return { until, armed, streak, limit };
}

/** Four `key=value` lines; times in epoch seconds. */
export function renderGitHubPause(pause: GitHubPause): string {
	return renderKv([
		["until", pause.until],
		["armed", pause.armed],
		["streak", pause.streak],
		["kind", pause.limit],
	]);
}

/** A damaged file is set aside, and mutes nobody. */
export function readGitHubPause(
	doors: StateDoors,
	stateDir: string,
	bucket: PauseBucket,
): StateRead<GitHubPause> {
	const path = gitHubPausePath(stateDir, bucket);
	return readState(doors, stateDir, path, parseGitHubPause);
}

/** Best effort: a pause that cannot be written must not fail the call that met the limit. */
export function writeGitHubPause(
	files: Files,
	stateDir: string,
	bucket: PauseBucket,
	pause: GitHubPause,
): WriteResult {
	const path = gitHubPausePath(stateDir, bucket);
	return files.writeAtomic(path, renderGitHubPause(pause));
}

/** A call went through, or nobody can believe the pause. Best effort: it ends by itself. */
export function removeGitHubPause(
	files: Files,
	stateDir: string,
	bucket: PauseBucket,
): void {
	files.remove(gitHubPausePath(stateDir, bucket));
}
