/** Claude Code's lock on its `.claude.json`: the folder `.claude.json.lock`, made by whoever writes. We take it as it does. */
import type { Clock, Files } from "../_sys/doors.ts";
import { underMadeLock } from "./made-lock.ts";

type Doors = {
	readonly files: Pick<Files, "mkdirNew" | "lstat" | "removeTree">;
	readonly clock: Pick<Clock, "nowMs" | "sleep">;
};

/** 100 tries, 20 ms apart: 2 s. Claude Code holds it for a few ms. */
const TRIES = 100;
const WAIT_MS = 20;
/** Its own measure: a lock this old was left by a process that died. */
const CORPSE_MS = 10_000;

/** Runs `act` under the lock of the file at `path`; without it when it cannot be had, as Claude Code does. */
export function underClaudeLock<T>(
	doors: Doors,
	path: string,
	act: () => T,
): Promise<T> {
	const { files } = doors;
	const folder = `${path}.lock`;
	const lock = {
		path: folder,
		make: () => files.mkdirNew(folder),
		drop: () => files.removeTree(folder),
		tries: TRIES,
		waitMs: WAIT_MS,
		corpseMs: CORPSE_MS,
	};
	return underMadeLock(doors, lock, act);
}
