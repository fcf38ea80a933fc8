/** `notices-sent`, `<epoch>⇥<hash>` a line: what was sent to the operator in the last hour, so that a program gone wild does not ring all night (contract 06 §15). */

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";

export interface SentNotice {
	/** Epoch seconds. */
	readonly at: number;
	/** Of title, message and whether it is an emergency. */
	readonly hash: string;
}

const WINDOW_SECONDS = 3600;

export function noticesSentPath(stateDir: string): string {
	return join(stateDir, "notices-sent");
}

/** The first 12 hex digits of SHA-256; an emergency of the same words is another notice. */
export function noticeHash(notice: {
	readonly title: string;
	readonly message: string;
	readonly priority: "routine" | "emergency";
}): string {
	const loud = notice.priority === "emergency" ? "\0emergency" : "";
	const text = `${notice.title}\0${notice.message}${loud}`;
	return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** Of the last hour; lines of another form are skipped, stamps ahead of now are not believed. */
export function readNoticesSent(
	files: Files,
	stateDir: string,
	now: number,
): readonly SentNotice[] {
	const read = files.read(noticesSentPath(stateDir));
	const lines = read.kind === "ok" ? read.text.split("\n") : [];
	return lines.flatMap((line) => {
		const [epoch, hash = ""] = line.split("\t");
		const at = digits(epoch);
		if (at === null || hash === "") return [];
		return at <= now && now - at < WINDOW_SECONDS ? [{ at, hash }] : [];
	});
}

/** Epoch seconds; replaces the file. */
export function writeNoticesSent(
	files: Files,
	stateDir: string,
	sent: readonly SentNotice[],
): WriteResult {
	return files.writeAtomic(
		noticesSentPath(stateDir),
		sent.map(({ at, hash }) => `${at}\t${hash}\n`).join(""),
	);
}
