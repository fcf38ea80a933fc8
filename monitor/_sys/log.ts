/** The `Log` doors: the watcher's stamped lines, and a face's prefixed ones. Both write to stderr, whole lines only. */
import { writeSync } from "node:fs";
import type { Clock, Log } from "./doors.ts";
import { harmless } from "./stderr.ts";

type Write = (text: string) => void;

/** `[<ISO>] <msg>`; a warning is `[<ISO>] WARN <msg>`. A message of several lines gets a stamp on each, so that no line stands without one. */
export function stampedLog(clock: Clock, write: Write = toStderr): Log {
	return {
		info: (msg) => write(lines(`[${clock.iso()}] `, msg)),
		warn: (msg) => write(lines(`[${clock.iso()}] WARN `, msg)),
	};
}

/** `[svc] <msg>`: the log of a face; the prefixes are contract (06 §0). */
export function prefixedLog(prefix: string, write: Write = toStderr): Log {
	return frontedLog(`[${prefix}] `, write);
}

/** `front` stands before each line as it is. */
export function frontedLog(front: string, write: Write = toStderr): Log {
	const say = (msg: string) => write(lines(front, msg));
	return { info: say, warn: say };
}

function lines(front: string, msg: string): string {
	return harmless(msg)
		.replace(/\n+$/, "")
		.split("\n")
		.map((line) => `${front}${line}\n`)
		.join("");
}

/** One write(2): a buffered stream would lose the last words of a dying process. */
function toStderr(text: string): void {
	try {
		writeSync(2, text);
	} catch {
		// A log that cannot be written must not stop the work that it tells of.
	}
}
