/** Starting a program that outlives us. */
import { closeSync, openSync } from "node:fs";
import type { Proc, SpawnDetached } from "./doors.ts";
import { errnoOf } from "./errno.ts";
import { ensureServiceLog, LOG_MODE } from "./service-log.ts";

/**
 * A session of its own (setsid), stdin /dev/null, stdout and stderr appended to the log. The log is
 * a descriptor, not a `Bun.file`, which would be written from byte 0 (contract 00 R9). Every other
 * descriptor of ours is close-on-exec, locks included.
 */
export function spawnDetached(
	s: SpawnDetached,
): ReturnType<Proc["spawnDetached"]> {
	let log: number | "ignore" = "ignore";
	try {
		if (s.log !== null) {
			ensureServiceLog(s.log);
			log = openSync(s.log, "a", LOG_MODE);
		}
		const child = Bun.spawn([...s.argv], {
			cwd: s.cwd,
			env: { ...s.env },
			stdin: "ignore",
			stdout: log,
			stderr: log,
			detached: true,
		});
		child.unref();
		return { kind: "ok", pid: child.pid };
	} catch (e) {
		return { kind: "failed", reason: errnoOf(e) };
	} finally {
		if (log !== "ignore") closeSync(log);
	}
}
