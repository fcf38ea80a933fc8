/** One hand-off of a report at a time: an agent whose call took too long starts the next one while the first still waits for GitHub. */
import { wrapUpLockPath } from "../../_state/wrap-up-posting.ts";
import type { NgHub } from "../hub.ts";
import type { NgContext } from "../verb.ts";
import type { Matter } from "./history.ts";
import { keyOf } from "./posting.ts";

/** Longer than the longest pause that the other one may be waiting out. */
const PATIENCE_MS = 90_000;

/** `act` when no other process is at it; else 1, after some patience, with nothing touched. */
export async function inTurn(
	matter: Matter,
	{ stateDir }: Pick<NgHub, "stateDir">,
	{ doors, err }: Pick<NgContext, "doors" | "err">,
	act: () => Promise<number>,
): Promise<number> {
	const path = wrapUpLockPath(doors.files, stateDir, keyOf(matter));
	const lock = await doors.locks.acquireWithin(path, PATIENCE_MS);
	if (lock.kind === "held") {
		err("wrap-up: another one of this report is still at it; nothing was done");
		return 1;
	}
	try {
		return await act();
	} finally {
		// Without a lock file there is no guard, and the report is handed over all the same.
		if (lock.kind === "acquired") lock.lock.release();
	}
}
