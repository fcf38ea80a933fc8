/** What a GraphQL rate limit leaves behind, by surface: the hold, whether it was announced, which resets were told (contract 02 §7.5, §7.6). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { digits } from "./kv.ts";
import { mtimeOf } from "./peek.ts";

/** The search whose limit it is. */
export type Surface =
	| "issue_comments"
	| "pr_comments"
	| "new_issues"
	| "mentions"
	| "bot_mentions";

export interface Backoff {
	/** No query before this, epoch seconds; null: the file does not say. */
	readonly reset: number | null;
	/** When the limit was met, epoch seconds. */
	readonly armed: number;
}

function backoffPath(stateDir: string, surface: Surface): string {
	return join(stateDir, `graphql-backoff-${surface}`);
}

function backoffAnnouncedPath(stateDir: string, surface: Surface): string {
	return join(stateDir, `graphql-backoff-announced-${surface}`);
}

/** Null: nothing is held back. What cannot be read holds nothing back either. */
export function readBackoff(
	files: Files,
	stateDir: string,
	surface: Surface,
): Backoff | null {
	const path = backoffPath(stateDir, surface);
	const read = files.read(path);
	if (read.kind !== "ok") return null;
	const [reset, armed] = read.text.split("\n");
	return {
		reset: digits(reset),
		armed: digits(armed) ?? Math.floor(mtimeOf(files, path) ?? 0),
	};
}

/** A new hold has not been announced. */
export function writeBackoff(
	files: Files,
	stateDir: string,
	surface: Surface,
	hold: { readonly reset: number; readonly armed: number },
): void {
	files.writeAtomic(
		backoffPath(stateDir, surface),
		`${hold.reset}\n${hold.armed}\n`,
	);
	files.remove(backoffAnnouncedPath(stateDir, surface));
}

/** Ends the hold, and forgets what was told of it. */
export function clearBackoff(
	files: Files,
	stateDir: string,
	surface: Surface,
): void {
	files.remove(backoffPath(stateDir, surface));
	files.remove(backoffAnnouncedPath(stateDir, surface));
	const listed = files.list(stateDir);
	if (listed.kind !== "ok") return;
	const told = toldName(surface, "");
	for (const name of listed.names)
		if (name.startsWith(told)) files.remove(join(stateDir, name));
}

/** `armed`, epoch seconds, names the hold: a later one is announced again. */
export function isBackoffAnnounced(
	files: Files,
	stateDir: string,
	surface: Surface,
	armed: number,
): boolean {
	const read = files.read(backoffAnnouncedPath(stateDir, surface));
	return read.kind === "ok" && digits(read.text.trim()) === armed;
}

/** `armed`, epoch seconds, names the hold. Best effort: an announcement that is not noted comes twice. */
export function noteBackoffAnnounced(
	files: Files,
	stateDir: string,
	surface: Surface,
	armed: number,
): void {
	files.writeAtomic(backoffAnnouncedPath(stateDir, surface), `${armed}\n`);
}

/** True once for each reset; takes the turn. */
export function mayTellLimit(
	files: Files,
	stateDir: string,
	surface: Surface,
	reset: number,
): boolean {
	const path = join(stateDir, toldName(surface, String(reset)));
	if (files.stat(path).kind !== "absent") return false;
	files.writeAtomic(path, "");
	return true;
}

function toldName(surface: Surface, reset: string): string {
	return `graphql-alert-emitted-${surface}-${reset}`;
}
