/** Starting a program that outlives us. */
import { closeSync } from "node:fs";
import type { Proc, SpawnDetached } from "./doors.ts";
import { errnoOf } from "./errno.ts";
import { openRegular } from "./open-regular.ts";
import { ensureServiceLog, LOG_MODE } from "./service-log.ts";

/**
 * A session of its own (setsid), stdin /dev/null, stdout and stderr appended to the log. The log is
 * a descriptor, not a `Bun.file`, which would be written from byte 0 (contract 00 R9). Every other
 * descriptor of ours is close-on-exec, locks included.
 */
export function spawnDetached(
	s: SpawnDetached,
): ReturnType<Proc["spawnDetached"]> {
	const opened: number[] = [];
	const open = (path: string): number => {
		ensureServiceLog(path);
		const fd = openRegular(path, "append", LOG_MODE);
		opened.push(fd);
		return fd;
	};
	try {
		const log = s.log === null ? "ignore" : open(s.log);
		const child = Bun.spawn([...s.argv], {
			cwd: s.cwd,
			env: { ...s.env },
			stdin: "ignore",
			stdout: log,
			stderr: s.errLog === undefined ? log : open(s.errLog),
			detached: true,
		});
		child.unref();
		return { kind: "ok", pid: child.pid, exited: child.exited };
	} catch (e) {
		return { kind: "failed", reason: errnoOf(e) };
	} finally {
		for (const fd of opened) closeSync(fd);
	}
}
