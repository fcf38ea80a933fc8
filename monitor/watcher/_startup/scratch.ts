/** The private scratch folder of a watcher, and what killed predecessors left of theirs. */
import { basename, dirname, join } from "node:path";
import type { Files } from "../../_sys/doors.ts";

/** One name a state dir, so that a watcher recognises the folders of its own predecessors and no others. */
export function scratchPrefix(stateDir: string): string {
	const hash = new Bun.CryptoHasher("sha256").update(stateDir).digest("hex");
	return `nexus-watcher-${hash.slice(0, 8)}-`;
}

/** Removes the predecessors' scratch folders. Call it under the instance lock: the folder of a live watcher is in use. */
export function sweepScratch(
	files: Files,
	stateDir: string,
	scratchDir: string,
): void {
	const parent = dirname(scratchDir);
	const listed = files.list(parent);
	if (listed.kind !== "ok") return;
	for (const name of listed.names)
		if (
			name.startsWith(scratchPrefix(stateDir)) &&
			name !== basename(scratchDir)
		)
			files.removeTree(join(parent, name));
}
