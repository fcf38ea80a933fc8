/** Is the instance lock held, by somebody who means it (contract 01 §2.4)? */
import { instanceLockPath } from "../_state/instance-lock.ts";
import type { Doors, LockProbe } from "../_sys/doors.ts";

/** Who only asks whether the lock is held holds it for an instant: that is no instance. */
const TRIES = 3;
const TRY_MS = 200;

/**
 * Asks a few times in a row before it answers `held`, because another program's probe holds the lock for a moment,
 * too.
 */
export async function probeInstance(
	doors: Pick<Doors, "clock" | "locks">,
	stateDir: string,
): Promise<LockProbe> {
	const path = instanceLockPath(stateDir);
	let probe = doors.locks.probe(path);
	for (let n = 1; n < TRIES && probe.kind === "held"; n++) {
		await doors.clock.sleep(TRY_MS);
		probe = doors.locks.probe(path);
	}
	return probe;
}
