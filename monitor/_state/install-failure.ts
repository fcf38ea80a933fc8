/** `local-claude-install-failed.<epoch>`: why the local Claude Code could not be installed (contract 06 §11.4). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { type OneShotMarker, readMarker } from "./one-shot-marker.ts";

const PREFIX = "local-claude-install-failed.";

export function installFailurePath(stateDir: string, epoch: number): string {
	return join(stateDir, `${PREFIX}${epoch}`);
}

/** Every flag, by name. */
export function readInstallFailures(
	files: Files,
	stateDir: string,
): readonly OneShotMarker[] {
	const listed = files.list(stateDir);
	if (listed.kind !== "ok") return [];
	return listed.names
		.filter((name) => name.startsWith(PREFIX) && !name.includes(".tmp."))
		.flatMap((name) => readMarker(files, join(stateDir, name)) ?? []);
}
