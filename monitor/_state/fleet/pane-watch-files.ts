/** `T/var/log/<watcher>-pane-watch…`: what the capture passes of a watcher leave (contract 09 §11). */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";
import { isoSeconds } from "./time.ts";

/** What the last pass saw, as text for its watcher. */
export function paneWatchReportPath(thrumDir: string, watcher: string): string {
	return join(thrumDir, "var/log", `${watcher}-pane-watch-report.txt`);
}

/** One pass of a watcher at a time; a folder, as the shell version makes it. */
export function paneWatchLockDir(thrumDir: string, watcher: string): string {
	return join(thrumDir, "var", `${watcher}-pane-watch.lockdir`);
}

/** `<ISO> <text>`; at least one line a run, because a silent run looks like one that never happened. */
export function logPaneWatch(
	files: Pick<Files, "append" | "mkdir">,
	thrumDir: string,
	watcher: string,
	nowMs: number,
	text: string,
): WriteResult {
	const dir = join(thrumDir, "var/log");
	const line = `${isoSeconds(nowMs)} ${text.replace(/[\r\n]+/g, " ")}`;
	const path = join(dir, `${watcher}-pane-watch.log`);
	const done = files.append(path, line, { mode: 0o600 });
	if (done.kind === "ok") return done;
	files.mkdir(dir, 0o700);
	return files.append(path, line, { mode: 0o600 });
}

/** Makes the folder; replaces the last pass's. */
export function writePaneWatchReport(
	files: Pick<Files, "writeAtomic" | "mkdir">,
	thrumDir: string,
	watcher: string,
	text: string,
): WriteResult {
	const path = paneWatchReportPath(thrumDir, watcher);
	files.mkdir(join(thrumDir, "var/log"), 0o700);
	return files.writeAtomic(path, text, { mode: 0o600 });
}
