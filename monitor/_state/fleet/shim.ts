/** `T/bin/thrum`: a `thrum` for the agents of a fleet that is kept here (contract 09 §6.1, §6.7). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import { shellQuote } from "../../_sys/shell-quote.ts";
import { binDir } from "./store.ts";

/** Says where the project is; a session of the fleet does not hand it down. */
const HANDED_DOWN = ["NEXUS_ROOT", "NEXUS_STATE_DIR", "NEXUS_CONFIG"];

/** For the PATH of the fleet's agents, never of ours. */
export function shimPath(thrumDir: string): string {
	return join(binDir(thrumDir), "thrum");
}

/** What a restart says that an agent asked for itself, and so cannot be told. */
export function ownRestartLogPath(thrumDir: string, session: string): string {
	return join(thrumDir, "var/log", `${session}-restart.log`);
}

/** `THRUM_SHIM` marks what it starts, so that a probe for the real program does not find itself. */
export function renderShim(
	argv: readonly string[],
	env: Readonly<Record<string, string | undefined>>,
): string {
	const set = HANDED_DOWN.flatMap((name) => {
		const value = env[name];
		return value ? [`${name}=${shellQuote(value)} `] : [];
	});
	return `#!/bin/sh\n${set.join("")}THRUM_SHIM=1 exec ${argv.map(shellQuote).join(" ")} "$@"\n`;
}

/** Written only when it differs: an agent may be starting it. */
export function writeShim(
	files: Files,
	thrumDir: string,
	text: string,
): WriteResult {
	const path = shimPath(thrumDir);
	const read = files.read(path);
	if (read.kind === "ok" && read.text === text) return { kind: "ok" };
	return files.writeAtomic(path, text, { mode: 0o755 });
}
