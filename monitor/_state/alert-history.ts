/**
 * `alert-history/alert-<surface or kind>.meta`: the alerts that were last delivered of a surface, three
 * lines a kind (contract 02 §10, hop 8). By kind, because two that are staged together once took turns and both passed every time.
 */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";
import { type StampFolder, writeStamp } from "./stamp-folder.ts";

export interface AlertStamp {
	readonly kind: string;
	/** Epoch seconds. */
	readonly at: number;
	/** sha256 hex of header, newline, body line. */
	readonly sha: string;
}

/** For pruning; stamps that were set aside as damaged grow old like the others. */
export function alertHistory(stateDir: string): StampFolder {
	return {
		dir: join(stateDir, "alert-history"),
		isStamp: (name) => /\.meta(?:\.damaged\.\d+)?$/.test(name),
	};
}

/** Null when no triple can be read. */
function parseAlertStamps(text: string): readonly AlertStamp[] | null {
	const stamps = [
		...text.matchAll(/^ts=(\d{1,15})\nkind=(.+)\nsha=(\S+)$/gm),
	].flatMap(([, ts, kind, sha]) => {
		const at = digits(ts);
		return at === null || !kind || !sha ? [] : [{ kind, at, sha }];
	});
	return stamps.length === 0 ? null : stamps;
}

/**
 * `name` is a surface's or a kind's. Empty when there are none, or none that can be read: an alert is then told
 * again, not lost.
 */
export function readAlertStamps(
	doors: StateDoors,
	stateDir: string,
	name: string,
): readonly AlertStamp[] {
	const path = pathOf(stateDir, name);
	const read = readState(doors, stateDir, path, parseAlertStamps);
	return read.kind === "ok" ? read.value : [];
}

/** Without a stamp there is no file. */
export function writeAlertStamps(
	files: Files,
	stateDir: string,
	name: string,
	stamps: readonly AlertStamp[],
): void {
	const path = pathOf(stateDir, name);
	if (stamps.length === 0) {
		files.remove(path);
		return;
	}
	const text = stamps
		.map(({ at, kind, sha }) => `ts=${at}\nkind=${kind}\nsha=${sha}\n`)
		.join("");
	writeStamp(files, path, text);
}

/** `name`: the surface, or the kind of an alert without one, as a part of a file's name. */
function pathOf(stateDir: string, name: string): string {
	return join(alertHistory(stateDir).dir, `alert-${name}.meta`);
}
