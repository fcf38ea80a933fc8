/** Log files of started programs: 0640 at birth, never loosened, never truncated (contract 06 §0). */
import { chmodSync, closeSync, statSync } from "node:fs";
import { openRegular } from "./open-regular.ts";

export const LOG_MODE = 0o640;

/**
 * Creates a missing log with mode 0640, whatever the umask; takes group-write and all rights of
 * others from one that is ours; leaves another user's alone. A failure never fails a launch.
 */
export function ensureServiceLog(path: string): void {
	try {
		closeSync(openRegular(path, "append", LOG_MODE));
		const { mode, uid } = statSync(path);
		const tight = mode & 0o7777 & ~0o027;
		if (uid === process.getuid?.() && tight !== (mode & 0o7777))
			chmodSync(path, tight);
	} catch {
		// The program is worth more than its log's mode.
	}
}
