/** What an hour in which nothing happens asks of GitHub (contract 02 §2.4), at the tasks' own cadences. */
import { afterEach, expect, test } from "bun:test";
import { type Night, openNight } from "./night-rig.ts";

let night: Night;
afterEach(async () => {
	await night.close();
	expect(night.standIn.problems).toEqual([]);
});

test.each([
	["four searches, as a rule", {}, 24],
	[
		"five searches, with every source on",
		{ "monitor.mentions_enabled": true },
		30,
	],
])(
	"is a listing a poll, and every ten minutes the rate limit and %s; and nothing else",
	async (_name, over, searches) => {
		night = openNight(over);
		await night.restart(0);
		night.take();
		const from = night.standIn.requests.length;
		for (let at = 0; at < 3600; at += 15) {
			await night.run("deliveries_poll");
			if (at % 600 === 0) await night.run("github_poll");
			await night.run("comment_surface");
			if (at % 600 === 0) await night.run("functional_check");
			night.wait(15);
		}
		const seen = night.standIn.requests.slice(from);
		const counts = [...Map.groupBy(seen, (r) => r.route)].map(
			([route, list]) => `${list.length} ${route}`,
		);
		expect(counts.sort()).toEqual(
			[
				`${searches} POST /graphql`,
				"240 GET /app/hook/deliveries",
				"6 GET /rate_limit",
			].sort(),
		);
		const unchanged = seen.filter((r) => r.status === 304).length;
		expect(unchanged).toBe(239);
		expect(night.take()).toEqual({ pasted: [], tried: [] });
	},
);
