/** Background shells beside an agent that does nothing (contract 03 §16, 07 §11.5, 08 §4.4). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	type ChildrenPatience,
	decideChildren,
} from "../../monitor/watcher/_idle_probe/children.ts";
import { classesIn, idleRig } from "./idle-rig.ts";
import { type Given, marked, NOW, pane, probe } from "./worker-facts.ts";

const HOUR = 3600;
/** Two shells, of which the older began with them being noticed; they use the processor. */
const shells = (ago: number, more: Given = {}): Given => ({
	childrenSince: NOW - ago,
	...more,
	pane: {
		state: "working-background",
		children: { count: 2, oldestStart: NOW - ago },
		...more.pane,
	},
});
const said = (ago: number, health: "running" | "done" | "stuck") => ({
	window: "w",
	jobKind: "local",
	jobId: "",
	expectedRuntimeSeconds: 2 * HOUR,
	health,
	note: "",
	writtenAt: NOW - ago,
});
/** A paste of ours that it took. */
const pasted = (ago: number) => ({
	prompt: { at: NOW - ago, sessionId: "" },
	machineInputAt: NOW - ago,
	submittedPasteAt: NOW - ago,
});
const retain = (ago: number) => ({ at: NOW - ago, reason: "server" });
const told = (given: Given) => {
	const { row } = probe(given);
	return row === null
		? null
		: `${row.class} ${row.askedAt === null ? "" : NOW - row.askedAt}`.trim();
};

describe("a worker whose background shells work on while it does nothing", () => {
	const ASK = "idle-children-clarify";
	const rows: readonly (readonly [string, Given, string | null])[] = [
		["is left alone for an hour", shells(HOUR - 1), null],
		["is asked after it", shells(HOUR + 5), `${ASK} 5`],
		[
			"is the same question until the next",
			shells(3 * HOUR - 1),
			`${ASK} 7199`,
		],
		["is asked again two hours later", shells(3 * HOUR), `${ASK} 0`],
		["and four hours later", shells(7 * HOUR), `${ASK} 0`],
		["and then every six", shells(13 * HOUR + 7), `${ASK} 7`],
		["and then every six, again", shells(25 * HOUR + 7), `${ASK} 7`],
		["is too long idle after two days", shells(48 * HOUR), "idle-too-long"],
		[
			"is not asked within an hour of its last prompt",
			shells(3 * HOUR, pasted(HOUR - 1)),
			null,
		],
		[
			"is asked an hour after its last prompt",
			shells(1.5 * HOUR, pasted(HOUR)),
			`${ASK} 1800`,
		],
		[
			"is not asked what was asked before its last prompt",
			shells(2.9 * HOUR, pasted(1.2 * HOUR)),
			null,
		],
		[
			"is asked the next one all the same",
			shells(3.2 * HOUR, pasted(1.2 * HOUR)),
			`${ASK} 720`,
		],
		[
			"is believed for as long as it said, and the slack",
			shells(5 * HOUR, { health: said(2 * HOUR + 600, "running") }),
			null,
		],
		[
			"is asked after that",
			shells(5 * HOUR, { health: said(2 * HOUR + 601, "running") }),
			`${ASK} 7200`,
		],
		[
			"is not believed beyond the ceiling",
			shells(48 * HOUR, { health: said(0, "running") }),
			"idle-too-long",
		],
		[
			"that says it is stuck is told of at once",
			shells(60, { health: said(20, "stuck") }),
			`${ASK} 20`,
		],
		[
			"that says it is done is idle like any other",
			shells(600, { health: said(200, "done") }),
			"no-wrap-up",
		],
		[
			"whose answer is older than its task has not answered",
			shells(600, { health: said(200, "done"), ...pasted(100) }),
			null,
		],
		[
			"whose answer is of an earlier life has not answered",
			shells(60, { health: said(20, "stuck"), events: { spawnAt: NOW - 10 } }),
			null,
		],
		[
			"in which the operator works is not asked",
			shells(5 * HOUR, marked(60)),
			null,
		],
		[
			"that is kept is not asked",
			shells(5 * HOUR, { events: { retain: retain(60) } }),
			null,
		],
		[
			"that was kept before they were there is asked",
			shells(5 * HOUR, { events: { retain: retain(6 * HOUR) } }),
			`${ASK} 7200`,
		],
		[
			"that is kept is too long idle all the same",
			shells(48 * HOUR, { events: { retain: retain(60) } }),
			"idle-too-long",
		],
		[
			"whose shells nobody could count is not asked",
			shells(48 * HOUR, { pane: { children: null } }),
			null,
		],
		[
			"that is busy is not asked",
			{ ...shells(5 * HOUR), ...pane("busy") },
			null,
		],
	];
	test.each(rows)("%s", (_name, given, row) => {
		expect(told(given)).toBe(row);
	});

	test("is withheld in the grace after a clock gap", () => {
		const seen = probe({ ...shells(5 * HOUR), afterGap: true });
		expect(seen.row).toBeNull();
		expect(seen.withheld).toBe(true);
	});

	test("says how many and for how long", () => {
		expect(probe(shells(HOUR)).row).toMatchObject({
			detail: "2 background shells",
			ageSeconds: HOUR,
		});
		const one = { children: { count: 1, oldestStart: 0 } };
		const stuck = shells(HOUR, { pane: one, health: said(0, "stuck") });
		expect(probe(stuck).row?.detail).toBe("1 background shell; it is stuck");
	});
});

describe("since when they are there", () => {
	const since = (given: Given) => probe(given).next.childrenSince;
	const known = { childrenSince: NOW - 500 };
	test.each([
		[
			"is now when they are first seen",
			shells(0, { childrenSince: null }),
			NOW,
		],
		["is what it was", shells(500), NOW - 500],
		["is now when it is of the future", shells(-9), NOW],
		["outlives a turn", { ...known, ...pane("busy") }, NOW - 500],
		[
			"outlives a moment that nobody could read",
			{ ...known, ...pane("unknown") },
			NOW - 500,
		],
		["ends with the shells", { ...known, ...pane("idle") }, null],
		["ends with the agent", { ...known, ...pane("absent") }, null],
	] satisfies [string, Given, number | null][])("%s", (_name, given, at) => {
		expect(since(given)).toBe(at);
	});
});

test("whatever the patience, a question is due at a time that has come, and does not move until the next", () => {
	const patience = fc.record<ChildrenPatience>({
		first: fc.integer({ min: 1, max: 5000 }),
		growth: fc.integer({ min: 1, max: 5 }),
		longest: fc.integer({ min: 0, max: 50_000 }),
		ceiling: fc.constant(Number.MAX_SAFE_INTEGER),
		healthSlack: fc.constant(0),
	});
	const ask = (now: number, p: ChildrenPatience) => {
		const facts = { since: 0, oldestStart: 0, promptAt: null, health: null };
		const say = decideChildren({ ...facts, now }, p);
		return say.kind === "ask" ? say.askedAt : null;
	};
	fc.assert(
		fc.property(patience, fc.integer({ min: 0, max: 1e9 }), (p, now) => {
			const at = ask(now, p);
			expect(at === null).toBe(now < p.first);
			if (at === null) return;
			expect(at).toBeLessThanOrEqual(now);
			expect(now - at).toBeLessThan(
				Math.max(p.first * p.growth, p.longest, p.first),
			);
			expect(ask(at, p)).toBe(at);
		}),
	);
});

test("the watcher asks once a question, learns only from delivery, and forgets with the shells", async () => {
	const rig = idleRig();
	await rig.seed();
	rig.worker("a");
	let ticks = 0;
	/** Each sweep finds the shell at work. */
	const sweep = async (seconds: number) => {
		rig.shell("a", ++ticks);
		return classesIn(await rig.sweep(seconds));
	};
	await sweep(0);
	expect(Number(rig.state("bg-firstseen/a"))).toBe(rig.clock.now());
	expect(await sweep(HOUR - 1)).toEqual([]);
	const asked = ["a idle-children-clarify"];
	expect(await sweep(1)).toEqual(asked);
	// Nobody has received it yet.
	expect(await sweep(30)).toEqual(asked);
	await rig.compose();
	expect(rig.pasted.at(-1)).toContain(
		"  - a idle-children-clarify (1 background shell; idle 1h00m beside them; ask it: does it wait for them? it answers with monitor/worker-health.ts --health running|done|stuck) [since ",
	);
	expect(rig.pasted.at(-1)).toContain("| 1 idle-children |");
	expect(await sweep(30)).toEqual([]);
	expect(await sweep(2 * HOUR)).toEqual(asked);
	rig.endShell("a");
	await rig.sweep(30);
	expect(rig.state("bg-firstseen/a")).toBeNull();
	await sweep(30);
	rig.close("a");
	await rig.sweep(30);
	expect(rig.state("bg-firstseen/a")).toBeNull();
});
