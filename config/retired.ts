/** Keys of older files that mean nothing any more, and what to do instead (contract 07 §12). */

export const RETIRED: Readonly<Record<string, string>> = {
	"monitor.graphql_cadence":
		"the backstop search has its own cadence, gated by monitor.graphql_threshold",
	"monitor.mention_eligibility":
		"use monitor.mentions_enabled and monitor.cross_repo_surface",
	"monitor.watch_repos":
		"use monitor.mentions_enabled and monitor.cross_repo_surface",
	"monitor.deliveries_enabled":
		"use monitor.deliveries.asset_enabled and monitor.deliveries.bot_mention_enabled",
	"monitor.watcher.api_error_backoff_minutes":
		"API errors are handled by the over-limit and turn-failure rules",
	"github.overview_issue": "use github.overview_issue_number",
};

/** Sections of features that are not here: accepted silently, never read. `x-…` is the operator's own. */
export function isSkipped(key: string): boolean {
	if (key === "monitor.remote") return true;
	if (/^(monitor\.)?(literature|notebook)/.test(key)) return true;
	return key.split(".").some((name) => name.startsWith("x-"));
}
