/** Two minutes of `bench/soak.ts`: the whole fleet, its kills and GitHub's faults, and nothing is lost. */
import { expect, test } from "bun:test";
import { soak } from "../../bench/soak/run.ts";

test("kills, faults and drafts beside three workers: every comment, report and request is told, and settled", async () => {
	const said: string[] = [];
	const rows = await soak({
		minutes: 2,
		workers: 3,
		seed: 2,
		killMs: 7000,
		askMs: 7000,
		// A report that went into a session as that was killed is told again after five minutes; mostly nothing waits so long.
		drainMs: 360_000,
		// A death is told two looks of the idle probe later, which is too long for here. A refused turn comes last: what is
		// told of it comes when the kills are over.
		fates: ["permission", "request", "report", "refusal"],
		evidenceDir: null,
		say: (line) => said.push(line),
	});
	const missed = rows.filter((row) => row.isMissed);
	// Of a long failure the end is what is kept.
	const why = `${said.join("\n")}\n${JSON.stringify(missed)}`;
	expect(missed.length === 0 ? "" : why).toBe("");
	// How many there are in a minute is the machine's affair: the next waits until the last one is made good.
	const kills = rows.filter(({ what }) => what.endsWith(" killed"));
	expect(kills.filter(({ figure }) => figure !== "0")).not.toEqual([]);
}, 560_000);
