/** Sessions of Claude Code that say they wait for an answer. A hint to look at the fleet, never a statement about a pane: nothing here is proven. */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { judgeSession, SESSION_FILE_MAX_BYTES } from "./session.ts";

/** Where a Claude Code of this environment keeps its session files. */
export function sessionsDir(
	env: Readonly<Record<string, string | undefined>>,
): string {
	const home = env.CLAUDE_CONFIG_DIR || join(env.HOME ?? "/", ".claude");
	return join(home, "sessions");
}

/** One entry a wait: a session that waits again is another one. */
function waitingSessions(files: Files, dir: string): ReadonlySet<string> {
	const listed = files.list(dir);
	const names = listed.kind === "ok" ? listed.names : [];
	const waiting = names.flatMap((name) => {
		const read = files.read(join(dir, name), SESSION_FILE_MAX_BYTES);
		const said = read.kind === "ok" ? judgeSession(read.text, null) : null;
		return said?.status === "waiting"
			? [`${name} ${said.statusUpdatedAt}`]
			: [];
	});
	return new Set(waiting);
}

/** Answers at each call whether a wait has begun or ended since the last one. */
export function waitingChanged(files: Files, dir: string): () => boolean {
	let before = waitingSessions(files, dir);
	return () => {
		const now = waitingSessions(files, dir);
		const changed = now.symmetricDifference(before).size > 0;
		before = now;
		return changed;
	};
}
