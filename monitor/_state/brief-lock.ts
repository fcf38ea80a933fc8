/**
 * A lock for one read-modify-write of a small file (contract 08 §0): Claude Code may run all hooks of an event at once.
 * A file that only one can create, not a flock: loading libc would cost every tool call a third of a hook's time.
 */
import type { Clock, EverydayFiles } from "../_sys/doors.ts";

type Doors = {
	readonly files: EverydayFiles;
	readonly clock: Pick<Clock, "nowMs" | "sleep">;
};

/** 50 tries, 5 ms apart: 250 ms, also on a clock that stands still. */
const TRIES = 50;
const WAIT_MS = 5;
/** Longer than any hook lives: its holder was killed. */
const CORPSE_MS = 2500;

/**
 * Runs `act` under the lock at `path`, whose folder exists. When it cannot be had in time, or the disk refuses it, `act`
 * runs without: a late event is worth more than its place in the order.
 */
export async function withBriefLock<T>(
	doors: Doors,
	path: string,
	act: () => T,
): Promise<T> {
	const held = await take(doors, path);
	try {
		return act();
	} finally {
		if (held) doors.files.remove(path);
	}
}

async function take({ files, clock }: Doors, path: string): Promise<boolean> {
	for (let n = 0; n < TRIES; n++) {
		const made = files.writeNew(path, "");
		if (made.kind === "ok") return true;
		if (made.code !== "EEXIST") return false;
		const found = files.lstat(path);
		const isCorpse =
			found.kind === "ok" &&
			Math.abs(clock.nowMs() - found.stat.mtimeMs) > CORPSE_MS;
		if (isCorpse) files.remove(path);
		else await clock.sleep(WAIT_MS);
	}
	return false;
}
