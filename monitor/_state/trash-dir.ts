/** `.trash/`: replaced packages, kept for a while because sessions still run from them (contract 06 §11.3). */
import { join } from "node:path";

/** `chosen` is `NEXUS_TRASH_DIR`. */
export function trashDirOf(stateDir: string, chosen: string | null): string {
	return chosen || join(stateDir, ".trash");
}
