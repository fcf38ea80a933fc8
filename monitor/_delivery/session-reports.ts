/** What the transcripts of sessions say about the reports that they were given. */
import { type FollowFile, followFile } from "../_state/followed-file.ts";
import type { Doors } from "../_sys/doors.ts";
import { IN_TRANSCRIPT, type InTranscript } from "./report-queue.ts";
import { ccHomes, transcriptsOf } from "./transcript.ts";

/**
 * By session id: of each of its transcripts, none when it has none. Null when a folder or a transcript could not be read:
 * what is not found then may be there all the same.
 */
export type LookIntoSessions = (
	doors: Pick<Doors, "files" | "proc">,
	sessionIds: readonly string[],
) => ReadonlyMap<string, readonly InTranscript[]> | null;

/** What was given last is at the end of a transcript that may be hundreds of megabytes. */
const TAIL_BYTES = 8 * 1024 * 1024;

/** For whoever looks again: the end of a transcript is read once, and then what was appended. Forgets sessions that are no longer asked for. */
export function followSessions(): LookIntoSessions {
	let followed = new Map<string, FollowFile<InTranscript>>();
	return ({ files, proc }, sessionIds) => {
		const homes = ccHomes(proc.env);
		if (homes.length === 0) return null;
		const bound = { kind: "last", bytes: TAIL_BYTES } as const;
		followed = new Map(
			sessionIds.map((id) => [
				id,
				followed.get(id) ?? followFile(IN_TRANSCRIPT, bound),
			]),
		);
		const seen = new Map<string, readonly InTranscript[]>();
		for (const [id, follow] of followed) {
			const paths = transcriptsOf(files, homes, id);
			if (paths === null) return null;
			const found = paths.map((path) => follow(files, path));
			if (found.some(({ kind }) => kind === "unreadable")) return null;
			seen.set(
				id,
				found.flatMap((one) => (one.kind === "ok" ? [one.value] : [])),
			);
		}
		return seen;
	};
}
