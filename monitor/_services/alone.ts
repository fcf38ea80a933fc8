/** One hand at a time on a service: an operator, recovery and the watcher may all mean it in the same second. */
import { serviceLockPath } from "../_state/service-lock.ts";
import { supervisorDir } from "../_state/supervisor-record.ts";
import type { Doors } from "../_sys/doors.ts";

/** Longer than a check's bound and a start take together. */
const WAIT_MS = 90_000;

/** Runs `act` under the service's lock; null when somebody else kept it all the while. What is started does not inherit it. */
export async function aloneWith<T>(
	doors: Pick<Doors, "files" | "locks" | "log">,
	stateDir: string,
	name: string,
	act: () => Promise<T>,
): Promise<T | null> {
	doors.files.mkdir(supervisorDir(stateDir));
	const path = serviceLockPath(stateDir, name);
	const lock = await doors.locks.acquireWithin(path, WAIT_MS);
	if (lock.kind === "held") {
		doors.log.warn(`${name}: somebody else is at work on it (${path})`);
		return null;
	}
	// A disk that takes no lock file takes no record either; the launch will say so.
	try {
		return await act();
	} finally {
		if (lock.kind === "acquired") lock.lock.release();
	}
}
