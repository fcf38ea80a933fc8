/** `last-change.txt`: the last composed report, for the operator; the comments fast path leaves it alone (contract 01 §26). */
import { join } from "node:path";

export function lastChangePath(stateDir: string): string {
	return join(stateDir, "last-change.txt");
}
