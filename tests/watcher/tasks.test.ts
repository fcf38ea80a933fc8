import { expect, test } from "bun:test";
import { fleetDeps } from "../../monitor/fleet-wiring.ts";
import { emitDeps, paneHands } from "../../monitor/watcher/emit-wiring.ts";
import { respawnWiring } from "../../monitor/watcher/respawn-wiring.ts";
import { hintSources, watcherTasks } from "../../monitor/watcher/tasks.ts";
import { watcherConfig as configWith } from "../config/watcher-config.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { STATE, watcherConfig, watcherContext } from "./watcher-rig.ts";

const doors = fakeDoors({ proc: { env: { HOME: "/home/op" } } });
const hands = paneHands(doors);
const tasks = watcherTasks({
	emit: emitDeps(hands, true, null),
	hands,
	gitHub: null,
	respawn: respawnWiring(doors, watcherContext(doors), hands),
	fleet: fleetDeps(doors, watcherContext(doors), watcherConfig()),
});

test("the table is the contract's, and holds no task of a part that has not landed", () => {
	const config = watcherConfig();
	const rows = tasks.map((task) =>
		[
			task.name,
			task.intervalSeconds(config),
			task.class,
			task.async ? "async" : "sync",
		].join(" "),
	);
	expect(rows.sort()).toEqual([
		"bell_windows 30 cheap sync",
		"cc_auto_update 300 expensive async",
		"cc_version_check 86400 expensive async",
		"clone_drift 3600 expensive async",
		"compose_emit 60 medium async",
		"detect_unstick 10 medium async",
		"fleet_monitors 10 cheap sync",
		"full_state_snap 600 expensive async",
		"idle_section 30 expensive async",
		"orchestrator_liveness 5 cheap sync",
		"orphan_async_scan 60 expensive async",
		"orphan_async_wakes 15 cheap sync",
		"over_limit_scan 60 expensive async",
		"over_limit_wakes 5 cheap async",
		"pending_decisions 10 cheap sync",
		"prune_archive 600 cheap sync",
		"reports_roll 3600 medium async",
		"requests_poll 10 cheap sync",
		"service_health 120 medium async",
		"snapshot_local 30 medium async",
		"target_window 2 cheap sync",
		"version_check 60 medium async",
	]);
});

test.each([
	["service_health", { "monitor.service_health.enabled": false }],
	["service_health", { "monitor.service_health.interval_seconds": 0 }],
	["version_check", { "monitor.version_restart.enabled": false }],
	["version_check", { "monitor.version_restart.interval_seconds": 0 }],
	["clone_drift", { "monitor.clone_drift.enabled": false }],
	["clone_drift", { "monitor.clone_drift.interval_seconds": 0 }],
	["cc_version_check", { "monitor.cc_update.interval_seconds": 0 }],
	["reports_roll", { "monitor.reports_roll.enabled": false }],
	["reports_roll", { "monitor.reports_roll.interval_seconds": 0 }],
] as const)("%s alone is off with %j", (name, changes) => {
	const off = (config: ReturnType<typeof configWith>) =>
		tasks
			.filter(
				(task) =>
					!(task.enabled?.(config) ?? true) ||
					task.intervalSeconds(config) === 0,
			)
			.map((task) => task.name);
	const before = off(configWith());
	expect(before).toContain("cc_auto_update");
	expect(before).not.toContain(name);
	expect(off(configWith(changes)).sort()).toEqual([...before, name].sort());
});

test("every folder that wakes a task wakes one that is in the table", () => {
	const names = tasks.map((task) => task.name);
	const sources = hintSources(watcherContext(doors), doors);
	expect(sources.map(({ dir, task }) => [dir, task])).toEqual([
		[`${STATE}/decisions`, "pending_decisions"],
		[`${STATE}/requests`, "requests_poll"],
		["/home/op/.claude/sessions", "idle_section"],
		["/home/op/.claude/sessions", "detect_unstick"],
	]);
	for (const { task } of sources) expect(names).toContain(task);
});

test("an inbox that refuses is watched by nobody", () => {
	const config = watcherConfig({ NEXUS_REQUESTS_DIR: "/no/such/inbox" });
	const ctx = watcherContext(doors, { config });
	expect(hintSources(ctx, doors).map((source) => source.task)).toEqual([
		"pending_decisions",
		"idle_section",
		"detect_unstick",
	]);
});
