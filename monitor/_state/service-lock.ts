/** `services/<name>.lock`: flock target of whoever starts, stops or restarts the service; two at once would start it twice. */
import { join } from "node:path";
import { supervisorDir } from "./supervisor-record.ts";

export function serviceLockPath(stateDir: string, name: string): string {
	return join(supervisorDir(stateDir), `${name}.lock`);
}
