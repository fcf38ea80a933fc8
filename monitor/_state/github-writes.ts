/** `github-writes`: how far the writes of everybody who shares this state dir have used up what GitHub likes to take (contract 02 §2.2). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";
import { digits, parseKv, renderKv } from "./kv.ts";

function gitHubWritesPath(stateDir: string): string {
	return join(stateDir, "github-writes");
}

/** flock target of whoever reckons with the file. */
export function gitHubWritesLockPath(stateDir: string): string {
	return join(stateDir, "github-writes.lock");
}

/** Epoch milliseconds at which all writes so far are paid for; null: there were none, or nobody knows. */
export function readWritesPaid(
	doors: StateDoors,
	stateDir: string,
): number | null {
	const path = gitHubWritesPath(stateDir);
	const read = readState(doors, stateDir, path, (text) =>
		digits(parseKv(text).get("paid_at_ms")),
	);
	return read.kind === "ok" ? read.value : null;
}

/** Best effort: what cannot be written must not hold a write back. */
export function writeWritesPaid(
	files: Files,
	stateDir: string,
	paidAtMs: number,
): void {
	files.writeAtomic(
		gitHubWritesPath(stateDir),
		renderKv([["paid_at_ms", paidAtMs]]),
	);
}
