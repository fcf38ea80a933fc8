/** `services.registry`: the services an operator asked to be looked after (contract 06 §2). Here only its place. */
import { join } from "node:path";

/** `NEXUS_SERVICES_REGISTRY`, else `<root>/monitor/services.registry`. */
export function servicesRegistryPath(
	env: Readonly<Record<string, string | undefined>>,
	root: string,
): string {
	return env.NEXUS_SERVICES_REGISTRY || join(root, "monitor/services.registry");
}
