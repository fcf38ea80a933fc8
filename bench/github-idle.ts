#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * What a watcher asks of GitHub, a stand-in, with all sources on. `--comments N` (default 5): how long a
 * comment takes into the real orchestrator's pane. `--minutes N` (default 21: two searches): what is asked
 * while nothing happens. `--settle-seconds N` (default 60) after the start are not counted.
 * Wanted: a comment within the 15 s of one poll and the paste. An hour of nothing: 240 listings of the delivery
 * log, of which all but the first say 304; 6 looks at the rate limit; 30 searches; a token; nothing else.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_KEYS, testApp } from "../tests/github/rig.ts";
import { type StandIn, startStandIn } from "../tests/github/stand-in/server.ts";
import { waitUntil } from "../tests/support/wait-until.ts";
import { numberFlag, percentile, report } from "./measure.ts";
import { type BenchWorld, openWorld } from "./world.ts";

const REPO = "bench/bench-assets";
const minutes = numberFlag("minutes", 21);
const comments = numberFlag("comments", 5);
/** The start asks for everything once more. */
const SETTLE_MS = numberFlag("settle-seconds", 60) * 1000;

await withWatcher(timeComments);
await withWatcher(countRequests);

async function withWatcher(
	measure: (world: BenchWorld, github: StandIn) => Promise<void>,
): Promise<void> {
	const github = startStandIn({ app: testApp() });
	github.acts.createRepo(REPO);
	github.acts.openIssue(REPO, { user: "somebody", title: "One" });
	const world = await openWorld({
		stillPanes: 0,
		clones: 0,
		config: [
			`  api_url: ${github.url}`,
			"  bot_app_id: '123'",
			"  bot_installation_id: '456'",
			"  bot_pem_path: app.pem",
			"  bot_login: hub-bot",
			"monitor:",
			"  mentions_enabled: true",
			"",
		].join("\n"),
	});
	try {
		const key = join(world.root, "app.pem");
		writeFileSync(key, PRIVATE_KEYS.pkcs8, { mode: 0o600 });
		world.startWatcher();
		await Bun.sleep(SETTLE_MS);
		await measure(world, github);
	} finally {
		await world.close();
		await github.stop();
	}
}

async function timeComments(
	{ orchestrator, stateDir }: BenchWorld,
	{ acts }: StandIn,
): Promise<void> {
	const log = () => readFileSync(join(stateDir, "watcher.log"), "utf8");
	const seconds: number[] = [];
	for (let n = 0; n < comments; n++) {
		const began = performance.now();
		const { id } = acts.comment(REPO, 1, "bench", `comment ${n}`);
		const isThere = () =>
			orchestrator.userTexts().some((text) => text.includes(` id=${id} `));
		const bounds = { limitMs: 60_000, describe: log };
		await waitUntil(`comment ${id}`, isThere, bounds);
		seconds.push((performance.now() - began) / 1000);
		// So that it does not always fall into the same place between two polls.
		await Bun.sleep(4_000);
	}
	const [median, worst] = [percentile(seconds, 0.5), percentile(seconds, 1)];
	// A poll's 15 s, and the paste.
	report({ name: "comment to pane", value: worst, unit: "s", limit: 20 });
	console.log(
		`a comment in the pane: median ${median.toFixed(1)} s, worst ${worst.toFixed(1)} s of ${comments}`,
	);
}

async function countRequests(
	_world: BenchWorld,
	{ requests }: StandIn,
): Promise<void> {
	const from = requests.length;
	await Bun.sleep(minutes * 60_000);
	const seen = requests.slice(from);
	const perHour = (n: number) => Math.round((n * 60) / minutes);
	report({
		name: "requests while nothing happens",
		value: perHour(seen.length),
		unit: "an hour",
		// A minute's count, taken for an hour's, is off by 60 a request.
		limit: Math.round(280 + (60 * 2) / minutes),
	});
	console.log(`requests: ${perHour(seen.length)} an hour over ${minutes} min`);
	for (const [route, list] of Map.groupBy(seen, (r) => r.route)) {
		const unchanged = list.filter((r) => r.status === 304).length;
		console.log(
			`  ${perHour(list.length)} ${route} (${unchanged} of ${list.length}: 304)`,
		);
	}
}
