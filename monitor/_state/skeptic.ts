/**
 * `skeptic/`: work that somebody else looks at (contract 08 §7). `skeptic/<key>/` holds a reviewed window's questions,
 * `skeptic/pending/<key>` says that its review is not over.
 */
import { dirname, join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { windowFromKey, windowKey } from "./window-key.ts";

export function skepticChannelDir(stateDir: string, window: string): string {
	return join(stateDir, "skeptic", windowKey(window));
}

/** Windows that have a channel. */
export function listChannels(
	files: Files,
	stateDir: string,
): readonly string[] {
	const found = files.list(join(stateDir, "skeptic"));
	return found.kind === "ok"
		? found.names.filter((name) => name !== "pending").map(windowFromKey)
		: [];
}

export function skepticPendingDir(stateDir: string): string {
	return join(stateDir, "skeptic/pending");
}

export function skepticPendingPath(stateDir: string, window: string): string {
	return join(skepticPendingDir(stateDir), windowKey(window));
}

/** Windows with a marker. A folder that cannot be read has none. */
export function pendingReviews(
	files: Files,
	stateDir: string,
): readonly string[] {
	const found = files.list(skepticPendingDir(stateDir));
	return found.kind === "ok" ? found.names.map(windowFromKey) : [];
}

/** `depth` is kept for people. Makes the folder. */
export function writeSkepticPending(
	files: Files,
	stateDir: string,
	window: string,
	depth: number,
): WriteResult {
	const path = skepticPendingPath(stateDir, window);
	files.mkdir(dirname(path));
	return files.writeAtomic(path, `${depth}\n`);
}

export type SkepticPending =
	| { readonly kind: "none" }
	/** `touchedAt` in epoch seconds: the reviewed worker touches it while it waits. */
	| { readonly kind: "pending"; readonly touchedAt: number }
	| { readonly kind: "unknown"; readonly why: string };

/** `touchedAt` in epoch seconds; `unknown` when nobody could look, which holds what waits for the review. */
export function readSkepticPending(
	files: Files,
	stateDir: string,
	window: string,
): SkepticPending {
	const found = files.lstat(skepticPendingPath(stateDir, window));
	switch (found.kind) {
		case "absent":
			return { kind: "none" };
		case "unreadable":
			return { kind: "unknown", why: found.reason };
		case "ok":
			return { kind: "pending", touchedAt: found.stat.mtimeMs / 1000 };
	}
}

/** When the newest question of the channel that waits for an answer was asked, epoch seconds; null without one. */
export function newestOpenQuestion(
	files: Files,
	stateDir: string,
	window: string,
): number | null {
	const dir = skepticChannelDir(stateDir, window);
	const listed = files.list(dir);
	if (listed.kind !== "ok") return null;
	const times = listed.names
		.filter((name) => /^req-.*\.(?:open|ack)\.md$/.test(name))
		.flatMap((name) => {
			const found = files.stat(join(dir, name));
			return found.kind === "ok" ? [found.stat.mtimeMs / 1000] : [];
		});
	return times.length === 0 ? null : Math.max(...times);
}
