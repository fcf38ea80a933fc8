/** `spawn.lock`: one spawn at a time looks whether a name is free and takes it. */
import { join } from "node:path";

export function spawnLockPath(stateDir: string): string {
	return join(stateDir, "spawn.lock");
}
