/** `cc-install.lock`: empty flock target, held while Claude Code is installed: two npm at one tree wreck it (contract 06 §11.3). */
import { join } from "node:path";

export function ccInstallLockPath(stateDir: string): string {
	return join(stateDir, "cc-install.lock");
}
