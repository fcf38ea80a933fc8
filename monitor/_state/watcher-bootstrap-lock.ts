/** `watcher-bootstrap.lock`: empty flock target of bootstrap, held for one run (contract 01 §2.4, §19). */
import { join } from "node:path";

export function watcherBootstrapLockPath(stateDir: string): string {
	return join(stateDir, "watcher-bootstrap.lock");
}
