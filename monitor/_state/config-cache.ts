/** `config-cache.json`: the operator's file as it was last found good (contract 00 R5). Its format is `config/cache.ts`'s. */
import { join } from "node:path";

export function configCachePath(stateDir: string): string {
	return join(stateDir, "config-cache.json");
}
