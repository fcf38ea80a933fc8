/** Which branch merged fixes land on, and who says so (contract 06 §10). Pure. */
import type { Config, Source } from "./schema.ts";

export interface IntegrationBranch {
	readonly branch: string;
	/** `unread`: the configuration could not be read, which is not the same as its silence. */
	readonly source: Source | "unread";
}

const DEFAULT_BRANCH = "dev";

/** `config`: null when it could not be read; the environment still counts then. */
export function integrationBranch(
	config: Config | null,
	env: Readonly<Record<string, string | undefined>>,
): IntegrationBranch {
	const fromEnv = env.MONITOR_INTEGRATION_BRANCH?.trim();
	if (fromEnv) return { branch: fromEnv, source: "env" };
	if (config === null) return { branch: DEFAULT_BRANCH, source: "unread" };
	// The deprecated key is this one's default.
	const branch = config["monitor.integration_branch"].trim();
	return {
		branch: branch || DEFAULT_BRANCH,
		source: config.source("monitor.integration_branch"),
	};
}
