/**
 * Every key of the schema has a reader, or its row says that it has none and setting it warns. Three documented keys of an
 * older system were parsed, read by nothing and reported by nothing.
 */
import { expect, test } from "bun:test";
import type { Leaf } from "../../config/leaves.ts";
import { CONFIG_KEYS } from "../../config/schema.ts";
import { product } from "./sources.ts";

/** Keys without a reader that are no surprise to whoever sets them. */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
	"nobody, as its meaning says: the operator's notes": [
		"github.bot_webhook_url",
		"github.bot_webhook_secret_path",
	],
	"nobody: it is the default of another key": [
		"monitor.clone_drift.branch",
		"monitor.orchestrator_unresponsive_threshold_seconds",
	],
	"a shell program reads it: monitor/notifywrap/sandbox-notify": [
		"NEXUS_NOTIFY_SUPPRESS_MSG",
	],
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
const rows: Readonly<Record<string, Leaf<unknown>>> = CONFIG_KEYS;
const known = Object.values(UNREAD).flat();
const unread = Object.keys(rows).filter((key) => !isRead(key));

test("every key has a reader, or its row says that it has none", () => {
	const silent = unread.filter((key) => rows[key]?.unread === undefined);
	expect(silent.sort()).toEqual(known.toSorted());
});

test("no key that is read is called unread", () => {
	const called = Object.keys(rows).filter((key) => rows[key]?.unread);
	expect(called.filter((key) => !unread.includes(key))).toEqual([]);
});

function isRead(key: string): boolean {
	// Environment-only knobs are indexed without quotes.
	const name = key.includes(".")
		? `["'\`]${RegExp.escape(key)}["'\`]`
		: `\\b${key}\\b`;
	return new RegExp(name).test(code);
}
