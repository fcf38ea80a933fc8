/** Finding the session file of a live claude: by its pid only, never by folder, name or age (contract 03 §9.1). */
import { join } from "node:path";
import type { Files, Proc } from "../_sys/doors.ts";
import {
	judgeSession,
	NO_SESSION,
	SESSION_FILE_MAX_BYTES,
	type SessionProcess,
	type SessionWitness,
} from "./session.ts";

/**
 * The process's own `CLAUDE_CONFIG_DIR`, else ours, else `~/.claude`: the first folder whose file
 * proves to be of this process. Pid and start time guard against every other one.
 */
export function lookAtSession(
	doors: { readonly proc: Proc; readonly files: Files },
	process: SessionProcess | null,
): SessionWitness {
	if (process === null) return { ...NO_SESSION, why: "no live claude" };
	let first: SessionWitness | null = null;
	for (const home of configHomes(doors.proc, process.pid)) {
		const path = join(home, "sessions", `${process.pid}.json`);
		const read = doors.files.read(path, SESSION_FILE_MAX_BYTES);
		if (read.kind !== "ok") continue;
		const witness = judgeSession(read.text, process);
		if (witness.live) return witness;
		first ??= witness;
	}
	return first ?? NO_SESSION;
}

function configHomes(proc: Proc, pid: number): ReadonlySet<string> {
	const environ = proc.environ(pid);
	const theirs = environ.kind === "ok" ? environ.value : {};
	const homes = [
		theirs.CLAUDE_CONFIG_DIR,
		proc.env.CLAUDE_CONFIG_DIR,
		theirs.HOME && join(theirs.HOME, ".claude"),
		proc.env.HOME && join(proc.env.HOME, ".claude"),
	];
	return new Set(homes.flatMap((home) => (home ? [home] : [])));
}
