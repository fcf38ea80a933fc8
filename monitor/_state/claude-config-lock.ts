/** Claude Code's lock on its `.claude.json`: the folder `.claude.json.lock`, made by whoever writes. We take it as it does. */
import type { Clock, Files } from "../_sys/doors.ts";

type Doors = {
	readonly files: Pick<Files, "mkdirNew" | "lstat" | "removeTree">;
	readonly clock: Pick<Clock, "nowMs" | "sleep">;
};

/** 100 tries, 20 ms apart: 2 s, also on a clock that stands still. Claude Code holds it for a few ms. */
const TRIES = 100;
const WAIT_MS = 20;
/** Its own measure: a lock this old was left by a process that died. */
const CORPSE_MS = 10_000;

/** Runs `act` under the lock of the file at `path`; without it when it cannot be had, as Claude Code does. */
export async function underClaudeLock<T>(
	doors: Doors,
	path: string,
	act: () => T,
): Promise<T> {
	const lock = `${path}.lock`;
	const held = await take(doors, lock);
	try {
		return act();
	} finally {
		if (held) doors.files.removeTree(lock);
	}
}

async function take({ files, clock }: Doors, lock: string): Promise<boolean> {
	for (let n = 0; n < TRIES; n++) {
		const made = files.mkdirNew(lock);
		if (made.kind === "ok") return true;
		if (made.code !== "EEXIST") return false;
		const found = files.lstat(lock);
		const isCorpse =
			found.kind === "ok" && clock.nowMs() - found.stat.mtimeMs > CORPSE_MS;
		if (isCorpse) files.removeTree(lock);
		else await clock.sleep(WAIT_MS);
	}
	return false;
}
