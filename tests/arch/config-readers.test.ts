/**
 * Every key of the schema has a reader. Three documented keys of an older system were parsed, read by
 * nothing and reported by nothing. Below stands what nobody reads yet, by what it waits for; when a
 * reader arrives, its line has to go.
 */
import { expect, test } from "bun:test";
import { CONFIG_KEYS } from "../../config/schema.ts";
import { product } from "./sources.ts";

/** Keys, or the front of several: then it ends in `.` or `_`. */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
	"nobody: for the operator's notes, or accepted from older files": [
		"github.bot_webhook_",
		"notifications.email.probe_address",
		"monitor.deliveries.connect_timeout_seconds",
		"monitor.mentions.connect_timeout_seconds",
		"monitor.graphql_timeout_kill_after_seconds",
	],
	"nobody: it is the default of another key": [
		"monitor.clone_drift.branch",
		"monitor.orchestrator_unresponsive_threshold_seconds",
	],
	"a shell program reads it: monitor/notifywrap/sandbox-notify": [
		"NEXUS_NOTIFY_SUPPRESS_MSG",
	],
	"contract 02: GitHub": [
		"monitor.resurface_",
		"monitor.rofs_alarm.github_escalation_enabled",
	],
	"contract 03: pane state and idle workers": [
		"monitor.full_state.",
		"monitor.pane_cache.",
	],
	"contract 04: unstick, limits, respawn": [
		"monitor.agent_dead_threshold",
		"monitor.watcher.",
	],
	"contract 06: services, versions, updates, notifiers, recovery": [
		"nexus.node_module",
		"notifications.email.",
		"monitor.cc_auto_update.max_live_windows",
		"monitor.service_health.cold_build_ceiling_seconds",
		"SVC_FORCE",
	],
	"contract 08: hooks, workers, channels": ["monitor.context_rotation."],
};

const READS_KEYS = [
	// Works out the dead threshold in force, and exports what programs below the watcher need.
	"config/watcher.ts",
	"config/integration-branch.ts",
];
/** The rest of `config/` treats all keys alike, or only warns about them: that does not count. */
const code = product
	.filter(
		({ path }) => !path.startsWith("config/") || READS_KEYS.includes(path),
	)
	.map((source) => source.code)
	.join("\n");
const unread = Object.keys(CONFIG_KEYS).filter((key) => !isRead(key));
const fronts = Object.values(UNREAD).flat();

test("every key has a reader, or says what it waits for", () => {
	expect(unread.filter((key) => frontOf(key) === undefined)).toEqual([]);
});

test("no excuse has outlived its need", () => {
	const needed = new Set(unread.map(frontOf));
	expect(fronts.filter((front) => !needed.has(front))).toEqual([]);
});

function isRead(key: string): boolean {
	// Environment-only knobs are indexed without quotes.
	const name = key.includes(".")
		? `["'\`]${RegExp.escape(key)}["'\`]`
		: `\\b${key}\\b`;
	return new RegExp(name).test(code);
}

/** The most particular excuse of a key. */
function frontOf(key: string): string | undefined {
	return fronts
		.filter((f) => f === key || (/[._]$/.test(f) && key.startsWith(f)))
		.sort((a, b) => b.length - a.length)[0];
}
