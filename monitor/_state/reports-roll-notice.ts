/** `reports-roll-notice`: which reports were moved into their month's folder; told once (contract 01 §21). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { type OneShotMarker, readMarker } from "./one-shot-marker.ts";

const INTRO =
	"Auto-archived aged reports into monthly reports/YYYY-MM/ buckets.";

function reportsRollNoticePath(stateDir: string): string {
	return join(stateDir, "reports-roll-notice");
}

/** `output` is what the roll printed. */
export function writeReportsRollNotice(
	files: Files,
	stateDir: string,
	output: string,
): WriteResult {
	return files.writeAtomic(
		reportsRollNoticePath(stateDir),
		`${INTRO}\n${output.replace(/\n*$/, "\n")}`,
	);
}

/** Null when there is none; its text is null when it could not be read. */
export function readReportsRollNotice(
	files: Files,
	stateDir: string,
): OneShotMarker | null {
	return readMarker(files, reportsRollNoticePath(stateDir));
}
