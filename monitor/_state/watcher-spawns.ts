/** `watcher-spawns.log`: one line for each consequential decision of the launcher (contract 01 §2.4, §17). */
import { join } from "node:path";
import { asOneLine } from "../_sys/control-characters.ts";
import type { Clock, Files } from "../_sys/doors.ts";

const MAX_BYTES = 1024 * 1024;
const CALLER_CHARS = 120;

export interface SpawnEvent {
	/** The launcher's own pid. */
	readonly pid: number;
	/** `WATCHER_LAUNCH_CALLER`, else the parent's argv. */
	readonly caller: string;
	/** First word is one of the events of §17. */
	readonly event: string;
}

export function watcherSpawnsPath(stateDir: string): string {
	return join(stateDir, "watcher-spawns.log");
}

function renderSpawnEvent(iso: string, e: SpawnEvent): string {
	const caller = asOneLine(e.caller).slice(0, CALLER_CHARS);
	return `${iso} launcher[${e.pid}] caller=[${caller}] ${asOneLine(e.event)}\n`;
}

/** Best effort: an audit line that cannot be written must not stop a restart. Above 1 MiB the log becomes `.1` first. */
export function appendSpawnEvent(
	doors: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
	e: SpawnEvent,
): void {
	const path = watcherSpawnsPath(stateDir);
	const found = doors.files.stat(path);
	if (found.kind === "ok" && found.stat.size > MAX_BYTES)
		doors.files.rename(path, `${path}.1`);
	doors.files.append(path, renderSpawnEvent(doors.clock.iso(), e), {
		mode: 0o640,
	});
}
