/** `action-log.jsonl`: what agents and the watcher did, a JSON object a line (contract 05 §9). */
import { join } from "node:path";

export function actionLogPath(stateDir: string): string {
	return join(stateDir, "action-log.jsonl");
}
