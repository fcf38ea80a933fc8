/** Defaults that follow from other keys (contract 07 §11, §14). A rule that answers null leaves the row's own default. */
import type { ConfigKey, ConfigValue, Source } from "./schema.ts";

export interface DerivedFrom {
	readonly get: <K extends ConfigKey>(key: K) => ConfigValue<K>;
	readonly source: (key: ConfigKey) => Source;
	/** The checkout, or `NEXUS_ROOT`. */
	readonly root: string;
}

type Rules = {
	readonly [K in ConfigKey]?: (from: DerivedFrom) => ConfigValue<K> | null;
};

export const DERIVED: Rules = {
	"nexus.root": ({ root }) => root,
	"github.asset_repo": ({ get }) => get("github.repo"),
	"github.bot_git_name": ({ get }) => botName(get("github.bot_login")),
	"github.bot_git_email": ({ get }) => {
		const name = botName(get("github.bot_login"));
		return name === null ? null : `${name}@users.noreply.github.com`;
	},
	"monitor.mentions.reemit_backoff_seconds": ({ get }) =>
		get("monitor.emit_cooldown_seconds"),
	"monitor.orchestrator_stale_seconds": ({ get }) =>
		5 * get("monitor.interval_seconds"),
	// The environment alone: an old file that still names the deprecated key changes nothing.
	"monitor.watcher.orchestrator_dead_threshold_seconds": ({ get, source }) =>
		source("monitor.orchestrator_unresponsive_threshold_seconds") === "env"
			? get("monitor.orchestrator_unresponsive_threshold_seconds")
			: null,
	"monitor.integration_branch": ({ get }) => get("monitor.clone_drift.branch"),
	MONITOR_REQUESTS_REPLIED_RETENTION_SECONDS: ({ get }) =>
		get("monitor.requests.retention_seconds"),
};

/** The slug is given with or without `[bot]`. */
function botName(login: string): string | null {
	return login === "" ? null : `${login.replace(/\[bot\]$/, "")}[bot]`;
}
