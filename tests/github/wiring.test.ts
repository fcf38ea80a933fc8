/** GitHub in the watcher: on with an App, else off with a line; and the polls of its first report. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { fleetDeps } from "../../monitor/fleet-wiring.ts";
import { emitDeps, paneHands } from "../../monitor/watcher/emit-wiring.ts";
import { gitHubWiring, saySetup } from "../../monitor/watcher/github-wiring.ts";
import { respawnWiring } from "../../monitor/watcher/respawn-wiring.ts";
import { watcherTasks } from "../../monitor/watcher/tasks.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { fakeNet } from "../fakes/net.ts";
import { watcherContext } from "../watcher/watcher-rig.ts";
import { CACHE_PATH, KEY_PATH, OPERATOR, REPO, STATE_DIR } from "./rig.ts";
import { GRAPHQL, LISTING, openSources, type SourceRig } from "./source-rig.ts";

const APP = {
	"github.bot_app_id": "123",
	"github.bot_installation_id": "456",
	"github.bot_pem_path": KEY_PATH,
	"github.bot_token_cache": CACHE_PATH,
} as const;

describe("without an App", () => {
	const doors = fakeDoors();
	const off = { config: watcherConfig(), root: "/root", stateDir: "/s" };

	test("no task of GitHub's is registered, and one line says so", () => {
		expect(gitHubWiring(off)).toBeNull();
		saySetup(doors, off);
		expect(doors.log.messages()).toEqual([
			"GitHub is off: no App is configured, no comments are read",
		]);
		const hands = paneHands(doors);
		const deps = emitDeps(hands, true, null);
		const respawn = respawnWiring(doors, watcherContext(doors), hands);
		const fleet = fleetDeps(doors, watcherContext(doors), watcherConfig());
		const tasks = watcherTasks({
			emit: deps,
			hands,
			gitHub: null,
			respawn,
			fleet,
		});
		const names = tasks.map((task) => task.name);
		expect(names).not.toContain("comment_surface");
		expect(deps.pollSources).toBeUndefined();
	});

	test("half an App is a mistake, and told as one", () => {
		doors.log.clear();
		doors.files.seedDir("/s");
		const config = watcherConfig({ "github.bot_app_id": "123" });
		expect(gitHubWiring({ ...off, config })).toBeNull();
		saySetup(doors, { ...off, config });
		expect(doors.log.messages("warn")).toEqual([
			"GitHub is off: github.bot_installation_id and github.bot_pem_path not set",
		]);
		expect(doors.files.text("/s/watcher-alerts.log")).toContain(
			"WARN GitHub is",
		);
	});
});

describe("with an App", () => {
	let rig: SourceRig;
	beforeEach(() => {
		rig = openSources();
	});
	afterEach(async () => {
		await rig.close();
		expect(rig.standIn.problems).toEqual([]);
	});
	function place() {
		const config = watcherConfig({
			...APP,
			"github.repo": REPO,
			"github.user_login": OPERATOR,
			"github.bot_login": "hub-bot",
			"github.api_url": rig.standIn.url,
		});
		const doors = { ...rig.doors, net: fakeNet() };
		return watcherContext(doors, { config, stateDir: STATE_DIR });
	}
	function wiring() {
		const made = gitHubWiring(place());
		if (made === null) throw new Error("it is off");
		return made;
	}
	const run = () => ({
		doors: rig.doors,
		signal: new AbortController().signal,
	});

	test("its tasks are the contract's", () => {
		const deps = emitDeps(paneHands(rig.doors), true, null);
		const rows = wiring()
			.tasks(deps)
			.map((task) => {
				const seconds = task.intervalSeconds(rig.config);
				const mode = task.async ? "async" : "sync";
				return `${task.name} ${seconds} ${task.class} ${mode}`;
			});
		expect(rows).toEqual([
			"deliveries_poll 15 medium async",
			"github_poll 600 expensive async",
			"comment_surface 15 medium async",
			"functional_check 600 expensive async",
		]);
	});

	test("the fast path of comments alone is off with an interval of 0", () => {
		const deps = emitDeps(paneHands(rig.doors), true, null);
		const off = watcherConfig({
			...APP,
			"monitor.comment_surface.interval_seconds": 0,
		});
		const names = wiring()
			.tasks(deps)
			.filter((task) => task.intervalSeconds(off) === 0)
			.map((task) => task.name);
		expect(names).toEqual(["comment_surface"]);
	});

	test("both are asked before the first report, and what they found is told in it", async () => {
		rig.standIn.acts.openIssue(REPO, {
			user: OPERATOR,
			title: "x",
			body: "one",
		});
		const c = rig.standIn.acts.comment(REPO, 1, OPERATOR, "two");
		const at = place();
		const { pollSources, comments } = wiring();
		await pollSources(at, run());
		expect(rig.asked(LISTING)).toHaveLength(1);
		expect(rig.asked(GRAPHQL)).toHaveLength(4);
		const view = await comments(at).composeGhNow(run());
		expect(view.text).toBe(
			`issue_new=1 id=1 author=op\n  body: one\nissue=1 id=${c.id} author=op\n  body: two\n`,
		);
	});

	test("a GitHub that does not answer holds the first report up for a minute", async () => {
		rig.standIn.faults.add({ on: /./, fault: { kind: "no-answer" } });
		const before = rig.doors.clock.monoMs();
		await rig.inTime(wiring().pollSources(place(), run()));
		expect(rig.doors.clock.monoMs() - before).toBeLessThan(62_000);
	});

	test("a poll that has nothing to look at makes no call", async () => {
		const config = watcherConfig({
			...APP,
			"monitor.deliveries.asset_enabled": false,
			"monitor.deliveries.bot_mention_enabled": false,
		});
		const [deliveries] = wiring().tasks(
			emitDeps(paneHands(rig.doors), true, null),
		);
		const fn = deliveries?.make({ ...place(), config });
		expect(await fn?.({ ...run(), afterGap: false, log: () => {} })).toEqual({
			rc: 0,
		});
		expect(rig.asked()).toEqual([]);
	});
});
