import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { examine } from "../../config/examine.ts";
import { renderExample } from "../../config/example.ts";
import { generated } from "../../config/generated.ts";
import type { Leaf } from "../../config/leaves.ts";
import { renderReference } from "../../config/reference.ts";
import { FILE_KEYS } from "../../config/schema.ts";
import { getKey, leavesOf } from "../../config/tree.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";

const rows: Readonly<Record<string, Leaf<unknown>>> = FILE_KEYS;
const { tree, issues, warnings } = examine(renderExample());

test.each([...generated()])("%s is what the rows give", (path, text) => {
	expect(readFileSync(join(CODE_ROOT, path), "utf8")).toBe(text);
});

test("the template is usable and knows every key it names", () => {
	expect([...issues, ...warnings]).toEqual([]);
});

test("the template differs from the defaults where it means to, and nowhere else", () => {
	const differing = [...leavesOf(tree)]
		.filter(({ key, value }) => !Bun.deepEquals(value, rows[key]!.default))
		.map(({ key, value }) => [key, value]);
	expect(Object.fromEntries(differing)).toEqual({
		"nexus.root": "/path/to/nexus",
		"github.user_login": "<your-github-username>",
		"github.repo": "your-org/yourname-nexus-assets",
		"github.bot_app_id": 0,
		"github.bot_installation_id": 0,
		"github.bot_pem_path": "~/.claude/your-bot.pem",
		"github.bot_login": "your-bot",
		"notifications.email.address": "",
		"notifications.email.smtp_host": "",
		"notifications.email.probe_address": "",
		"monitor.cc_auto_update.enabled": true,
		"monitor.orchestrator_stale_seconds": 300,
	});
});

test("every key that something reads is in the template, or says why not", () => {
	const absent = Object.entries(rows)
		.filter(([, row]) => row.unread === undefined)
		.filter(([key]) => getKey(tree, key) === undefined)
		.map(([key]) => key);
	expect(absent).toEqual([
		"github.asset_repo",
		"github.overview_issue_number",
		"status_surface.kind",
		"status_surface.url_file",
		"status_surface.feed",
		"monitor.orchestrator_unresponsive_threshold_seconds",
		"monitor.clone_drift.branch",
		"monitor.fleet.runtimes.<rt>.command",
	]);
	for (const key of absent) expect(rows[key]!.notInTemplate).toBeDefined();
});

test("what nothing reads stands at its end, and nowhere as if it worked", () => {
	const [body = "", end = ""] = renderExample().split(
		"\n# Known, and not read",
	);
	for (const [key, row] of Object.entries(rows)) {
		expect([key, end.includes(`\n#   ${key}: ${row.unread}\n`)]).toEqual([
			key,
			row.unread !== undefined,
		]);
		if (row.unread === undefined) continue;
		const isBare = getKey(tree, key) === undefined;
		expect(isBare || body.includes(`# Not read yet. ${row.doc}`)).toBe(true);
		expect(renderReference()).toContain(`**Not read yet:** ${row.unread}.`);
	}
});

describe("its comments", () => {
	test("tell the steps of the set-up first", () => {
		const header = renderExample().split("\nnexus:")[0]!;
		for (const words of [
			"clone",
			"private repository",
			"chmod 600",
			"GitHub App",
			"0600",
		])
			expect(header).toContain(words);
	});

	test("give meaning, unit, bounds, default and variable of a key", () => {
		expect(
			renderExample(),
		).toContain(`  # Cadence of compose_emit; base of the liveness thresholds.
  # (seconds, at least 1; default 60; env MONITOR_INTERVAL or MONITOR_INTERVAL_SECONDS)
  interval_seconds: 60
`);
	});
});
