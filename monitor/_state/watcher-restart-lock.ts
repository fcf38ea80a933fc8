/** `watcher-restart.lock`: empty flock target of the launcher, held for one (re)start (contract 01 §2.4). */
import { join } from "node:path";

export function watcherRestartLockPath(stateDir: string): string {
	return join(stateDir, "watcher-restart.lock");
}
