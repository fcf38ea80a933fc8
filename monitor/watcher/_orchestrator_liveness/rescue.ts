/** The newest report once more, for an orchestrator that may have lost it (contract 04 §3 S9, §16): once an episode. */
import {
	archivePath,
	listArchives,
	newestArchive,
} from "../../_state/emit-archive.ts";
import type { Doors } from "../../_sys/doors.ts";

export interface RescueParts {
	readonly doors: Pick<Doors, "files" | "log">;
	readonly stateDir: string;
	/** Pastes the file without starting the clock of the answer anew; rc 0 = delivered. */
	readonly paste: (file: string) => Promise<number>;
	/** Learns from a body that was delivered. */
	readonly commitEmitted: (body: string) => Promise<void>;
}

/** The marker stands already, so that a paste that hangs is not tried again. */
export async function resubmitRescue(p: RescueParts): Promise<void> {
	const { files, log } = p.doors;
	const names = listArchives(files, p.stateDir);
	const newest = newestArchive(names ?? []);
	if (newest === null) {
		log.warn("orchestrator liveness: no archived report to submit again");
		return;
	}
	const path = archivePath(p.stateDir, newest);
	const read = files.read(path);
	const rc = await p.paste(path);
	log.info(`orchestrator liveness: ${newest} submitted again, rc=${rc}`);
	if (rc === 0 && read.kind === "ok") await p.commitEmitted(read.text);
}
