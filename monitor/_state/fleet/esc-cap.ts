/**
 * `T/agents/<watcher>/esc/<key>`: how often a watcher has told its parent of one condition (contract 09 §14.1). A
 * decimal count and a newline; a shell version may work on the same files. An escalation at every tick once flooded a
 * human.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Clock, Files } from "../../_sys/doors.ts";
import { agentDir } from "./store.ts";

type CapFiles = Pick<
	Files,
	"read" | "list" | "lstat" | "mkdir" | "writeAtomic" | "touch" | "remove"
>;

/** Above this the condition has been closed. */
const LIMIT = 3;
const CLOSED = LIMIT + 1;
const PRUNED_AFTER_DAYS = 7;
export const UNAVAILABLE = "cap store unavailable: do NOT escalate";

/** Names a condition: 16 hex digits of `<agent>|<first line of the text>`, blanks made one. */
export function conditionKey(agent: string, text: string): string {
	const [first = ""] = text.split("\n", 1);
	const line = first.replace(/[ \t\v\f\r]+/g, " ").trim();
	const hash = createHash("sha256").update(`${agent}|${line}`);
	return hash.digest("hex").slice(0, 16);
}

export interface CapStep {
	/** What the file shall hold; null: it stays as it is, and is touched. */
	readonly write: string | null;
	/** The answer to the agent. */
	readonly line: string;
}

/** Pure. `raw`: the file's text, null without a file. */
export function nextCapState(raw: string | null): CapStep {
	const count = capCount(raw);
	if (count < LIMIT)
		return {
			write: `${count + 1}\n`,
			line: `escalation ${count + 1} of ${LIMIT}: send it`,
		};
	return count === LIMIT
		? { write: `${CLOSED}\n`, line: "capped: closing sequence now" }
		: { write: null, line: "capped: silent" };
}

/** Text that is no count is 0; four digits and more are capped, whatever they say. */
function capCount(raw: string | null): number {
	const text = (raw ?? "").replace(/\n+$/, "");
	if (!/^[0-9]+$/.test(text)) return 0;
	return text.length > 3 ? CLOSED : Number(text);
}

export function capDir(thrumDir: string, watcher: string): string {
	return join(agentDir(thrumDir, watcher), "esc");
}

/** Before every escalation: counts it, and answers whether it may be sent. Fails closed. */
export function bumpCap(files: CapFiles, dir: string, key: string): string {
	if (files.mkdir(dir, 0o700).kind !== "ok") return UNAVAILABLE;
	const path = join(dir, key);
	const read = files.read(path, 4096);
	if (read.kind === "unreadable") return UNAVAILABLE;
	const { write, line } = nextCapState(read.kind === "ok" ? read.text : null);
	const done =
		write === null
			? files.touch(path)
			: files.writeAtomic(path, write, { mode: 0o600, fsync: true });
	return done.kind === "ok" ? line : UNAVAILABLE;
}

/** Reads only; null: could not look. */
export function countCap(
	files: Pick<Files, "read">,
	dir: string,
	key: string,
): number | null {
	const read = files.read(join(dir, key), 4096);
	if (read.kind === "unreadable") return null;
	return capCount(read.kind === "ok" ? read.text : null);
}

/** The condition still stands: it is not pruned. */
export function seenCap(files: CapFiles, dir: string, key: string): boolean {
	const path = join(dir, key);
	const found = files.lstat(path);
	if (found.kind === "absent") return true;
	return found.kind === "ok" && files.touch(path).kind === "ok";
}

/** The condition is over: the next one of its kind is told anew. */
export function clearCap(files: CapFiles, dir: string, key: string): boolean {
	return files.remove(join(dir, key)).kind === "ok";
}

/** Forgets what nobody has seen for more than seven whole days. */
export function pruneCaps(
	files: CapFiles,
	clock: Pick<Clock, "nowMs">,
	dir: string,
): boolean {
	const listed = files.list(dir);
	if (listed.kind === "absent") return true;
	if (listed.kind === "unreadable") return false;
	const now = clock.nowMs();
	const old = listed.names.filter((name) => {
		const found = files.lstat(join(dir, name));
		if (found.kind !== "ok" || found.stat.kind !== "file") return false;
		const days = Math.floor((now - found.stat.mtimeMs) / 86_400_000);
		return days > PRUNED_AFTER_DAYS;
	});
	const removed = old.map((name) => files.remove(join(dir, name)));
	return removed.every(({ kind }) => kind === "ok");
}
