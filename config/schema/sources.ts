/** Where comments come from: the delivery log, mentions, the backstop search (contract 07 §11.7). */
import { bool, integer, oneOf, seconds } from "../leaves.ts";

export const sources = {
	"monitor.deliveries.asset_enabled": bool(true, {
		env: "MONITOR_DELIVERIES_ASSET_ENABLED",
		doc: "Events of github.repo from the App's delivery log.",
	}),
	"monitor.deliveries.bot_mention_enabled": bool(true, {
		env: "MONITOR_DELIVERIES_BOT_MENTION_ENABLED",
		doc: "Mentions of the bot in repositories that have it installed.",
	}),
	"monitor.deliveries.connect_timeout_seconds": seconds(5, {
		min: 1,
		env: "MONITOR_DELIVERIES_CONNECT_TIMEOUT",
		doc: "Time to connect.",
		unread:
			"one deadline bounds the whole request, monitor.deliveries.max_time_seconds",
	}),
	"monitor.deliveries.max_time_seconds": seconds(15, {
		min: 1,
		env: "MONITOR_DELIVERIES_MAX_TIME",
		doc: "Deadline of a request.",
	}),
	"monitor.deliveries.max_fetch_per_cycle": integer(25, {
		min: 1,
		env: "MONITOR_DELIVERIES_MAX_FETCH_PER_CYCLE",
		doc: "Payloads read in one poll.",
	}),
	"monitor.deliveries.cycle_budget_seconds": seconds(120, {
		min: 1,
		env: "MONITOR_DELIVERIES_CYCLE_BUDGET_SECONDS",
		doc: "Bound of one poll.",
	}),
	"monitor.deliveries.seed_on_first_run": bool(false, {
		env: "MONITOR_DELIVERIES_SEED_ON_FIRST_RUN",
		doc: "Without a cursor: false walks the recent backlog, true skips it.",
	}),
	"monitor.mentions_enabled": bool(false, {
		env: "MONITOR_MENTIONS_ENABLED",
		doc: "Search other repositories for mentions of you.",
	}),
	"monitor.bot_mentions_enabled": bool(true, {
		env: "MONITOR_BOT_MENTIONS_ENABLED",
		doc: "Search for mentions of the bot.",
	}),
	"monitor.mentions.connect_timeout_seconds": seconds(5, {
		min: 1,
		env: "MONITOR_MENTIONS_CONNECT_TIMEOUT",
		doc: "Time to connect.",
		unread:
			"one deadline bounds the whole request, monitor.mentions.max_time_seconds",
	}),
	"monitor.mentions.max_time_seconds": seconds(20, {
		min: 1,
		env: "MONITOR_MENTIONS_MAX_TIME",
		doc: "Deadline of a request.",
	}),
	"monitor.cross_repo_surface": oneOf(
		"mention_only",
		["mention_only", "author_only", "off"],
		{
			env: "MONITOR_CROSS_REPO_SURFACE",
			doc: "Which comments of other repositories surface; mention_only without bot_login is off.",
		},
	),
	"monitor.graphql_threshold": integer(200, {
		unit: "points",
		env: "MONITOR_GRAPHQL_THRESHOLD",
		doc: "Skip the search when fewer points of the rate limit remain.",
	}),
	"monitor.graphql_timeout_seconds": seconds(30, {
		min: 1,
		env: "MONITOR_GRAPHQL_TIMEOUT",
		doc: "Deadline of a query.",
	}),
	"monitor.graphql_timeout_kill_after_seconds": seconds(5, {
		min: 1,
		env: "MONITOR_GRAPHQL_TIMEOUT_KILL_AFTER",
		doc: "Time between two signals to a query.",
		unread:
			"a query is no process that could be killed; monitor.graphql_timeout_seconds ends it",
	}),
	"monitor.graphql.backoff_max_seconds": seconds(900, {
		min: 1,
		env: "MONITOR_GRAPHQL_BACKOFF_MAX_SECONDS",
		doc: "Ceiling of the back-off after a rate limit.",
	}),
	"monitor.graphql.backoff_announce_seconds": seconds(300, {
		env: "MONITOR_GRAPHQL_BACKOFF_ANNOUNCE_SECONDS",
		doc: "A back-off held this long is announced.",
	}),
	"monitor.graphql.degraded_escalate_seconds": seconds(1800, {
		env: "MONITOR_GRAPHQL_DEGRADED_ESCALATE_SECONDS",
		doc: "A source failing this long alerts the operator.",
	}),
	"monitor.graphql.degraded_remind_seconds": seconds(900, {
		env: "MONITOR_GRAPHQL_DEGRADED_REMIND_SECONDS",
		doc: "That alert is repeated after this.",
	}),
	"monitor.graphql.search_page_size": integer(10, {
		min: 1,
		max: 100,
		env: "MONITOR_GRAPHQL_SEARCH_PAGE_SIZE",
		doc: "Issues on one page of the search.",
	}),
	"monitor.graphql.search_max_pages": integer(40, {
		min: 1,
		env: "MONITOR_GRAPHQL_SEARCH_MAX_PAGES",
		doc: "Pages of one search.",
	}),
	"monitor.graphql.search_budget_seconds": seconds(180, {
		min: 1,
		env: "MONITOR_GRAPHQL_SEARCH_BUDGET_SECONDS",
		doc: "Bound of the whole search.",
	}),
	"monitor.functional_sla_seconds": seconds(600, {
		zeroDisables: true,
		env: "MONITOR_FUNCTIONAL_SLA_SECONDS",
		doc: "A comment older than this without a reaction is stale.",
	}),
	"monitor.functional_max_emits": integer(5, {
		min: 1,
		env: "MONITOR_FUNCTIONAL_MAX_EMITS",
		doc: "Recent emits that are examined.",
	}),
};
