/**
 * Over random nights: every comment of the operator's reaches the orchestrator, again only by rule, and never
 * twice in one report, whichever of three sources brings it; a stranger's never does. Polls, pastes that
 * fail, outages, limits and deaths come in any order. Beside it a model of a few lines.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { PasteRc } from "../../monitor/_emit/ladder.ts";
import { REPO } from "../github/rig.ts";
import type { Fault } from "../github/stand-in/faults.ts";
import { OTHER, openNight } from "./night-rig.ts";

type Step =
	| { readonly do: "say"; readonly where: string; readonly stranger: boolean }
	| { readonly do: "acknowledge"; readonly n: number }
	| { readonly do: "poll"; readonly task: "deliveries_poll" | "github_poll" }
	| { readonly do: "surface" | "restart"; readonly rc: PasteRc }
	| { readonly do: "die" }
	| { readonly do: "wait"; readonly seconds: number }
	| { readonly do: "break"; readonly fault: Fault; readonly times: number };

const rc = fc.constantFrom<PasteRc[]>(0, 0, 0, 2, 4, 6, 7);
const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant("say" as const),
			where: fc.constantFrom(REPO, REPO, OTHER),
			stranger: fc.boolean(),
		}),
	},
	fc.record({ do: fc.constant("acknowledge" as const), n: fc.nat(9) }),
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant("poll" as const),
			task: fc.constantFrom("deliveries_poll" as const, "github_poll" as const),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({ do: fc.constant("surface" as const), rc }),
	},
	fc.record({ do: fc.constant("restart" as const), rc }),
	fc.record({ do: fc.constant("die" as const) }),
	fc.record({
		do: fc.constant("wait" as const),
		seconds: fc.constantFrom(5, 60, 299, 700, 4000),
	}),
	fc.record({
		do: fc.constant("break" as const),
		fault: fc.constantFrom<Fault[]>(
			{ kind: "server" },
			{ kind: "truncated" },
			{ kind: "secondary" },
			{ kind: "primary" },
			{ kind: "unauthorized" },
			{ kind: "abuse-page" },
			{ kind: "empty" },
			{ kind: "graphql-partial" },
			{ kind: "forbidden" },
		),
		times: fc.integer({ min: 1, max: 4 }),
	}),
);

const COOLDOWN = 300;

/** `searches: false`: a night in which the delivery log is all there is. */
async function live(
	steps: readonly Step[],
	{ searches }: { readonly searches: boolean },
): Promise<void> {
	const night = openNight();
	const breakSearches = () => {
		const fault = { kind: "server" } as const;
		if (!searches) night.standIn.faults.add({ on: "POST /graphql", fault });
	};
	breakSearches();
	/** The operator's, and what became of them. Moments in epoch seconds. */
	const own = new Map<
		string,
		{ where: string; told: number; last: number; acknowledged: boolean }
	>();
	const check = () => {
		const now = night.doors.clock.now();
		const { pasted, tried } = night.take();
		for (const ids of tried) {
			expect(new Set(ids).size).toBe(ids.length);
			for (const id of ids) expect(own.has(id)).toBe(true);
		}
		for (const id of pasted.flat()) {
			const one = own.get(id);
			if (one === undefined) throw new Error(`${id} is nobody's`);
			expect(now - one.last).toBeGreaterThanOrEqual(COOLDOWN);
			if (one.where === REPO) expect(one.acknowledged).toBe(false);
			one.told += 1;
			one.last = now;
		}
	};
	for (const s of steps) {
		switch (s.do) {
			case "say": {
				const user = s.stranger ? "mallory" : "op";
				const { id } = night.say(s.where, "@hub-bot please", user);
				if (!s.stranger)
					own.set(String(id), {
						where: s.where,
						told: 0,
						last: 0,
						acknowledged: false,
					});
				break;
			}
			case "acknowledge": {
				const [id, one] = [...own][s.n % Math.max(1, own.size)] ?? [];
				if (id === undefined || one === undefined) break;
				night.acknowledge(one.where, Number(id));
				one.acknowledged = true;
				break;
			}
			case "poll":
				await night.run(s.task);
				break;
			case "surface":
				await night.run("comment_surface", s.rc);
				break;
			case "restart":
				await night.restart(s.rc);
				break;
			case "die":
				await night.dieWithComments();
				await night.restart(7);
				break;
			case "wait":
				night.wait(s.seconds);
				break;
			case "break":
				night.standIn.faults.add({ on: /./, fault: s.fault, times: s.times });
		}
		check();
	}
	// Whatever happened: once GitHub answers and the orchestrator listens, all that is open is told.
	night.standIn.faults.clear();
	breakSearches();
	night.wait(4000);
	await night.run("deliveries_poll");
	await night.run("github_poll");
	await night.run("comment_surface");
	const { pasted } = night.take();
	const open = [...own].filter(([, one]) => !one.acknowledged);
	const told = (id: string, before: number) =>
		before + pasted.flat().filter((other) => other === id).length;
	// A payload that cannot be read three times is left to the searches.
	const lost = !searches && night.logged("given up");
	if (!lost)
		for (const [id, one] of open) expect(told(id, one.told)).toBeGreaterThan(0);
	if (searches)
		for (const [id, one] of open)
			if (one.where === REPO) expect(pasted.flat()).toContain(id);
	for (const body of night.archived()) expect(body).not.toContain("mallory");
	await night.close();
	expect(night.standIn.problems).toEqual([]);
}

describe("what the operator says is told until somebody answers, by rule, and nobody else is heard", () => {
	test.each([
		["with all sources", true],
		["with the delivery log alone", false],
	])(
		"%s",
		async (_name, searches) => {
			const steps = fc.array(step, {
				minLength: 1,
				maxLength: 30,
				size: "max",
			});
			await fc.assert(
				fc.asyncProperty(steps, (s) => live(s, { searches })),
				{ numRuns: 50 },
			);
		},
		120_000,
	);
});
