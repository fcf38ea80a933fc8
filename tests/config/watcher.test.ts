import { describe, expect, test } from "bun:test";
import { heartbeatGap } from "../../config/dead-threshold.ts";
import type { Env } from "../../config/resolve.ts";
import {
	childEnv,
	crossFieldWarnings,
	effectiveDeadThreshold,
	loadedLine,
	resolveWatcherConfig,
	startupSummary,
} from "../../config/watcher.ts";
import { HOME, OWN, ROOT } from "./rig.ts";
import { watcherConfig } from "./watcher-config.ts";

const WHO = {
	repo: "acme/ada-assets",
	user_login: "ada",
	bot_login: "acme",
	bot_app_id: 7,
};

function resolve(monitor: object, env: Env = {}) {
	const tree = { github: WHO, monitor };
	const file = { path: OWN, sha256: "ab".repeat(32), tree };
	const resolved = resolveWatcherConfig(file, env, { root: ROOT, home: HOME });
	if (resolved.kind === "bad") throw new Error("does not resolve");
	return resolved.config;
}

describe("the dead threshold", () => {
	test.each([
		[300, 600, 60, 60, 1800, 720, "clamped"],
		[900, 600, 60, 60, 1800, 900, "as-given"],
		[300, 1700, 60, 60, 1800, 300, "cannot-clamp"],
	] as const)(
		"of dead %d, gap %d, interval %d, margin %d, ceiling %d is %d, %s",
		(dead, gap, interval, margin, ceiling, seconds, verdict) => {
			const got = effectiveDeadThreshold(dead, gap, interval, margin, ceiling);
			expect(got).toEqual({ seconds, verdict });
		},
	);

	test("is 1320 by default, for two heartbeat pastes are 1260 s apart", () => {
		expect(resolve({}).deadThreshold).toEqual({
			seconds: 1320,
			verdict: "clamped",
		});
	});

	test.each([
		[600, 900, 1200],
		[600, 600, 600],
		[600, 300, 600],
		[0, 900, 0],
		[450, 901, 1350],
	])(
		"an emit every %d s under a floor of %d s pastes every %d s",
		(emit, floor, gap) => {
			expect(heartbeatGap(emit, floor)).toBe(gap);
		},
	);
});

describe("values that are wrong together warn at start", () => {
	test("the defaults with a bot do not", () => {
		expect(crossFieldWarnings(resolve({}))).toEqual([]);
	});

	test.each([
		[
			{
				full_state_emit_interval_seconds: 1740,
				watcher: { paste_response_grace_seconds: 9, unstick_window_seconds: 9 },
			},
			"within the gap between two heartbeat pastes",
		],
		[
			{
				watcher: {
					paste_response_grace_seconds: 1200,
					unstick_window_seconds: 120,
				},
			},
			"would never be submitted again",
		],
		[
			{
				watcher: {
					stale_paste_ceiling_seconds: 1700,
					orchestrator_dead_threshold_seconds: 1700,
				},
			},
			"would never be noticed",
		],
		[{ service_health: { grace_seconds: 120 } }, "waits an extra tick"],
		[
			{ watcher: { heartbeat_tick_seconds: 135 } },
			"reads as dead between two beats",
		],
		[{ alert_emit_cooldown_seconds: 600 }, "should exceed the 600 s"],
		[
			{ deliveries: { asset_enabled: false, bot_mention_enabled: false } },
			"only the backstop search",
		],
		[
			{ watcher: { permission_veto: [] } },
			"every permission prompt is accepted",
		],
		[
			{ watcher: { permission_veto: [], on_permission: "relay" } },
			"it vetoes nothing, and on_permission relay hands every permission prompt on",
		],
	])("%j", (monitor, words) => {
		const warnings = crossFieldWarnings(resolve(monitor));
		expect(warnings).toHaveLength(1);
		expect(warnings[0]).toContain(words);
	});

	test.each([
		[
			{
				watcher: {
					paste_response_grace_seconds: 1200,
					unstick_window_seconds: 119,
				},
			},
		],
		[{ service_health: { grace_seconds: 119 } }],
		// Nobody looks at services then.
		[{ service_health: { interval_seconds: 0 } }],
		[{ service_health: { enabled: false, grace_seconds: 120 } }],
		[{ watcher: { heartbeat_tick_seconds: 134 } }],
		[{ alert_emit_cooldown_seconds: 601 }],
		[{ alert_emit_cooldown_seconds: 0 }],
	])("%j is just right", (monitor) => {
		expect(crossFieldWarnings(resolve(monitor))).toEqual([]);
	});

	test("without a bot's login two sources stay silent", () => {
		const app = { "github.bot_app_id": "7" };
		expect(crossFieldWarnings(watcherConfig(app))).toEqual([
			expect.stringContaining("monitor.cross_repo_surface is mention_only"),
			expect.stringContaining("monitor.bot_mentions_enabled is on"),
		]);
		const off = watcherConfig({
			...app,
			"monitor.cross_repo_surface": "off",
			"monitor.bot_mentions_enabled": false,
		});
		expect(crossFieldWarnings(off)).toEqual([]);
	});

	test("without a bot GitHub is off, and nothing about it is worth a warning", () => {
		const config = watcherConfig({
			"monitor.alert_emit_cooldown_seconds": 600,
			"monitor.deliveries.asset_enabled": false,
			"monitor.deliveries.bot_mention_enabled": false,
			"monitor.mentions_enabled": false,
		});
		expect(crossFieldWarnings(config)).toEqual([]);
	});
});

test("a watcher without repository or operator does not resolve", () => {
	const file = { path: OWN, sha256: "", tree: {} };
	const from = { root: ROOT, home: HOME };
	expect(resolveWatcherConfig(file, {}, from)).toMatchObject({
		kind: "bad",
		issues: [
			{
				message:
					"github.repo is required (not in the file; env MONITOR_REPO not set)",
			},
			{
				message:
					"github.user_login is required (not in the file; env MONITOR_USER_LOGIN not set)",
			},
		],
	});
	const env = { MONITOR_REPO: "a/b", MONITOR_USER_LOGIN: "ada" };
	expect(resolveWatcherConfig(file, env, from).kind).toBe("ok");
});

test("the summary is one line with what an operator looks for", () => {
	const line = startupSummary(resolve({ interval_seconds: 30 }), "orch");
	expect(line).toStartWith("watcher up: ");
	for (const part of [
		"repo=acme/ada-assets",
		"user=ada",
		"target=orch",
		"interval=30s",
		"retention=7d",
	])
		expect(line.split(" ")).toContain(part);
	expect(line).not.toContain("\n");
});

test("the start says that changes need a restart", () => {
	expect(loadedLine(resolve({}).file)).toBe(
		`config: ${OWN} (abababababab) loaded; changes need a watcher restart`,
	);
	expect(loadedLine({ path: OWN, sha256: "" })).toBe(
		"config: no file, environment alone; changes need a watcher restart",
	);
});

test("programs below the watcher find the root, the target in force and the beacon's age", () => {
	expect(childEnv(resolve({}), ROOT, "orch")).toEqual({
		NEXUS_ROOT: ROOT,
		MONITOR_TARGET: "orch",
		NEXUS_INSTANCE_HEARTBEAT_STALENESS: "600",
	});
	expect(childEnv(resolve({}), ROOT, "")).not.toHaveProperty("MONITOR_TARGET");
});
