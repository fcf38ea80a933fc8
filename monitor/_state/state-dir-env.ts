/** Where the state lives as the environment says it: all that a hook asks (contract 08 §0). */
import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** State dir below a root. */
export function stateDirOf(root: string): string {
	return join(root, "monitor/.state");
}

/** `NEXUS_STATE_DIR`, else `<NEXUS_ROOT>/monitor/.state`, else null. Hooks use this alone. */
export function stateDirFromEnv(env: Env): string | null {
	if (env.NEXUS_STATE_DIR) return env.NEXUS_STATE_DIR;
	if (env.NEXUS_ROOT) return stateDirOf(env.NEXUS_ROOT);
	return null;
}
