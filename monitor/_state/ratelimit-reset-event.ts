/** `unstick/ratelimit.reset-event`, `<epoch>\t<source>`: something proved that a usage limit is over (contract 04 §8.6). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { unstickDir } from "./unstick.ts";

function resetEventPath(stateDir: string): string {
	return join(unstickDir(stateDir), "ratelimit.reset-event");
}

/** The first writer wins until it is taken. */
export function raiseResetEvent(
	files: Files,
	stateDir: string,
	now: number,
	source: string,
): void {
	const path = resetEventPath(stateDir);
	if (files.stat(path).kind !== "absent") return;
	files.mkdir(unstickDir(stateDir));
	files.writeAtomic(path, `${now}\t${source.replace(/[\t\r\n]/g, "_")}\n`);
}

/** Takes it away and names its source; null when there is none. */
export function takeResetEvent(files: Files, stateDir: string): string | null {
	const path = resetEventPath(stateDir);
	const read = files.read(path);
	if (read.kind === "absent") return null;
	if (files.remove(path).kind !== "ok") return null;
	const source = read.kind === "ok" ? read.text.trim().split("\t")[1] : "";
	return source || "unknown";
}
