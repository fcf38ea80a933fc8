/** `<worktree>/.thrum/`: leads a worktree to the fleet's shared files (contract 09 §2.1, §6.1). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import { identitiesDir } from "./identity.ts";

/** With the empty folders that are the worktree's own. */
export function writeRedirect(
	files: Files,
	worktree: string,
	thrumDir: string,
): WriteResult {
	const own = join(worktree, ".thrum");
	for (const dir of [identitiesDir(worktree), join(own, "context")]) {
		const made = files.mkdir(dir, 0o700);
		if (made.kind !== "ok") return made;
	}
	return files.writeAtomic(join(own, "redirect"), `${thrumDir}\n`, {
		mode: 0o600,
		fsync: true,
	});
}
