/** `archive/health/…json`, `archive/archive-health.log`, `archive-errors.log`: what could not be archived (contract 09 §12.3). */
import { join } from "node:path";
import type { Files } from "../../_sys/doors.ts";
import type { ArchiveError } from "./capture-archive.ts";
import { fileWord, renderRecord } from "./capture-record.ts";

export interface ArchiveTrouble {
	/** `source`, `agent` or `raw-tick`. */
	readonly component: string;
	/** "" for the pass as a whole. */
	readonly agent: string;
	readonly captureId: string;
	readonly at: string;
	/** For a file's name. */
	readonly stamp: string;
	readonly error: ArchiveError;
}

/** Best effort: an archive in trouble never fails a pass. */
export function reportArchiveTrouble(
	files: Pick<Files, "mkdir" | "writeAtomic" | "append">,
	outDir: string,
	x: ArchiveTrouble,
): void {
	const archive = join(outDir, "archive");
	const record = {
		schema_version: "roster-capture-archive-health-v1",
		status: "archive_degraded",
		component: x.component,
		agent: x.agent,
		capture_id: x.captureId,
		timestamp_utc: x.at,
		error: x.error,
	};
	const PRIVATE = { mode: 0o600 };
	files.mkdir(join(archive, "health"), 0o700);
	const name = `${x.stamp}_${fileWord(x.component)}_${fileWord(x.agent)}.json`;
	files.writeAtomic(
		join(archive, "health", name),
		renderRecord(record),
		PRIVATE,
	);
	const line = `${x.at} archive_degraded ${x.component} ${x.agent} ${x.error.error} ${x.error.path}`;
	files.append(join(archive, "archive-health.log"), line, PRIVATE);
	files.append(
		join(outDir, "archive-errors.log"),
		renderRecord(record),
		PRIVATE,
	);
}
