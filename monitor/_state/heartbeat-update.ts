/** Changing a heartbeat: one read, one change, one write, under the file's brief lock (contract 08 §0). */
import { dirname } from "node:path";
import type { Clock, EverydayFiles, WriteResult } from "../_sys/doors.ts";
import { withBriefLock } from "./brief-lock.ts";
import { heartbeatPath } from "./heartbeat.ts";
import { type JsonObject, parseObject } from "./json-object.ts";

export type HeartbeatUpdate = WriteResult & {
	/** Where a file was put that was no heartbeat: zero bytes, torn or foreign. */
	readonly damagedAside?: string;
};

/** `change` gets null when there is no readable heartbeat, and answers null to leave the file as it is. */
export async function updateHeartbeat(
	doors: {
		readonly files: EverydayFiles;
		readonly clock: Pick<Clock, "nowMs" | "sleep">;
	},
	stateDir: string,
	window: string,
	change: (prior: JsonObject | null) => JsonObject | null,
): Promise<HeartbeatUpdate> {
	const { files, clock } = doors;
	const path = heartbeatPath(stateDir, window);
	files.mkdir(dirname(path));
	return withBriefLock(doors, `${path}.lock`, (): HeartbeatUpdate => {
		const read = files.read(path);
		const prior = read.kind === "ok" ? parseObject(read.text) : null;
		// Could not look: what it holds must not be written over.
		if (read.kind === "unreadable")
			return { kind: "failed", code: "EUNREADABLE", reason: read.reason };
		const next = change(prior);
		if (next === null) return { kind: "ok" };
		if (read.kind === "absent" || prior !== null)
			return files.writeAtomic(path, `${JSON.stringify(next)}\n`);
		const damagedAside = `${path}.damaged.${Math.floor(clock.nowMs() / 1000)}`;
		files.rename(path, damagedAside);
		const done = files.writeAtomic(path, `${JSON.stringify(next)}\n`);
		return { ...done, damagedAside };
	});
}
