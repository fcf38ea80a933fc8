/**
 * `wrap-up-posting/<hash>`, `key=value`: a comment that is being posted, or was, without anybody knowing: the answer
 * was lost, the process died, the action log could not be written. The next run looks for it before it posts another.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { readState, type StateDoors, type StateRead } from "./damaged.ts";
import { digits, parseKv, renderKv } from "./kv.ts";

export interface Posting {
	/** When it was sent, epoch seconds. */
	readonly at: number;
	/** Of the text, hex. */
	readonly bodySha256: string;
}

/** `matter`: what the comment is about; whoever is about the same looks for it. */
function wrapUpPostingPath(
	stateDir: string,
	matter: readonly string[],
): string {
	return join(stateDir, "wrap-up-posting", keyOf(matter));
}

/** For whoever hands this matter over. There are sixteen, shared by all matters, so that they need no sweeping. */
export function wrapUpLockPath(
	files: Files,
	stateDir: string,
	matter: readonly string[],
): string {
	const dir = join(stateDir, "wrap-up-posting");
	files.mkdir(dir);
	return join(dir, `lock.${keyOf(matter).slice(0, 1)}`);
}

function keyOf(matter: readonly string[]): string {
	return sha256(JSON.stringify(matter)).slice(0, 24);
}

/** Line ends are left out: GitHub may give them back as others. */
export function postingHash(body: string): string {
	return sha256(body.replaceAll("\r", "").trimEnd());
}

/** `matter` is what tells one posting from another; the file is named by its hash. */
export function readPosting(
	doors: StateDoors,
	stateDir: string,
	matter: readonly string[],
): StateRead<Posting> {
	const path = wrapUpPostingPath(stateDir, matter);
	return readState(doors, stateDir, path, parsePosting);
}

/** Before the comment is sent, `at` in epoch seconds. Flushed to disk. */
export function writePosting(
	files: Files,
	stateDir: string,
	matter: readonly string[],
	{ at, bodySha256 }: Posting,
): WriteResult {
	files.mkdir(join(stateDir, "wrap-up-posting"));
	const text = renderKv([
		["at", at],
		["body_sha256", bodySha256],
	]);
	const path = wrapUpPostingPath(stateDir, matter);
	return files.writeAtomic(path, text, { fsync: true });
}

/** Its row is in the action log, or it surely was not sent. */
export function removePosting(
	files: Files,
	stateDir: string,
	matter: readonly string[],
): void {
	files.remove(wrapUpPostingPath(stateDir, matter));
}

function parsePosting(text: string): Posting | null {
	const kv = parseKv(text);
	const at = digits(kv.get("at"));
	const bodySha256 = kv.get("body_sha256") ?? "";
	return at === null || !/^[0-9a-f]{64}$/.test(bodySha256)
		? null
		: { at, bodySha256 };
}

function sha256(text: string): string {
	return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
