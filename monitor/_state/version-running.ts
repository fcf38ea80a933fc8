/**
 * `version/<component>.running`, `key=value`: hash of the source that a component runs, and since when (contract 06 §9.3).
 * Who compares it with the disk sees that the component is to be restarted.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { renderKv } from "./kv.ts";
import { versionDir } from "./restart-guard.ts";

export function versionRunningPath(
	stateDir: string,
	component: string,
): string {
	return join(versionDir(stateDir), `${component}.running`);
}

/** A change of the source that was seen and waits to settle. */
export function versionPendingPath(
	stateDir: string,
	component: string,
): string {
	return join(versionDir(stateDir), `${component}.pending`);
}

/** What runs is what stands on the disk: no change is pending any more. `now` in epoch seconds. */
export function recordRunning(
	files: Files,
	stateDir: string,
	component: string,
	{ hash, now }: { readonly hash: string; readonly now: number },
): WriteResult {
	const made = files.mkdir(versionDir(stateDir));
	if (made.kind === "failed") return made;
	const text = renderKv([
		["hash", hash],
		["recorded", now],
	]);
	const written = files.writeAtomic(
		versionRunningPath(stateDir, component),
		text,
	);
	if (written.kind === "ok")
		files.remove(versionPendingPath(stateDir, component));
	return written;
}
