/** The private scratch folder of a watcher, and what killed predecessors left of theirs. */
import { basename, dirname, join } from "node:path";
import { mtimeOf } from "../../_state/peek.ts";
import { ageSeconds } from "../../_sys/age.ts";
import type { Doors } from "../../_sys/doors.ts";

/** One name a state dir, so that a watcher recognises the folders of its own predecessors and no others. */
export function scratchPrefix(stateDir: string): string {
	const hash = new Bun.CryptoHasher("sha256").update(stateDir).digest("hex");
	return `nexus-watcher-${hash.slice(0, 8)}-`;
}

/** What a paste, a look at a fleet and a launch put beside it for some seconds, whoever of us did. */
const SHORT_LIVED =
	/^nexus-(?:text|paste|detect|respawn-launch)-\w+$|^spawn-(?:prompt|launcher)-.+\.\d+(?:\.txt)?$/;
/** Nobody works with one for so long. */
const SHORT_LIFE_SECONDS = 3600;

/**
 * Removes the predecessors' scratch folders, and what programs that were killed left beside them. Call it under the
 * instance lock: the folder of a live watcher is in use.
 */
export function sweepScratch(
	{ files, clock }: Pick<Doors, "files" | "clock">,
	stateDir: string,
	scratchDir: string,
): void {
	const parent = dirname(scratchDir);
	const own = basename(scratchDir);
	const listed = files.list(parent);
	if (listed.kind !== "ok") return;
	const isOld = (name: string) => {
		const mtime = mtimeOf(files, join(parent, name));
		const age = ageSeconds(clock.now(), mtime, SHORT_LIFE_SECONDS);
		return age !== null && age > SHORT_LIFE_SECONDS;
	};
	const isLeftOver = (name: string) =>
		name.startsWith(scratchPrefix(stateDir))
			? name !== own
			: SHORT_LIVED.test(name) && isOld(name);
	for (const name of listed.names)
		if (isLeftOver(name)) files.removeTree(join(parent, name));
}
