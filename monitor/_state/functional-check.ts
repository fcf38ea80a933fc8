/** `functional-check.tsv`: verdicts on whether comments get through (contract 02 §13). */
import { join } from "node:path";

export function functionalCheckPath(stateDir: string): string {
	return join(stateDir, "functional-check.tsv");
}
