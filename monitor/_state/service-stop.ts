/**
 * `services/<name>.stopped`, `key=value`: this service is down on purpose. Whoever would bring it up by himself (health,
 * recovery, version drift) leaves it; `svc start` and `svc restart` take the word back.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits, parseKv, renderKv } from "./kv.ts";
import { supervisorDir } from "./supervisor-record.ts";

export interface StopMark {
	/** `service`: this one was meant, until it is started by name. `stack`: all were, until the next `up`. */
	readonly scope: "service" | "stack";
	/** Epoch seconds. */
	readonly at: number;
}

function serviceStopPath(stateDir: string, name: string): string {
	return join(supervisorDir(stateDir), `${name}.stopped`);
}

/** A file that cannot be read or understood still says that somebody stopped it. */
export function readStopMark(
	files: Pick<Files, "read">,
	stateDir: string,
	name: string,
): StopMark | null {
	const read = files.read(serviceStopPath(stateDir, name));
	if (read.kind === "absent") return null;
	const kv = parseKv(read.kind === "ok" ? read.text : "");
	return {
		scope: kv.get("scope") === "stack" ? "stack" : "service",
		at: digits(kv.get("at")) ?? 0,
	};
}

/** `at` in epoch seconds. Makes the folder. */
export function writeStopMark(
	files: Pick<Files, "mkdir" | "writeAtomic">,
	stateDir: string,
	name: string,
	mark: StopMark,
): WriteResult {
	const made = files.mkdir(supervisorDir(stateDir));
	if (made.kind === "failed") return made;
	return files.writeAtomic(
		serviceStopPath(stateDir, name),
		renderKv([
			["scope", mark.scope],
			["at", mark.at],
		]),
	);
}

/** None there is fine. */
export function clearStopMark(
	files: Pick<Files, "remove">,
	stateDir: string,
	name: string,
): WriteResult {
	return files.remove(serviceStopPath(stateDir, name));
}
