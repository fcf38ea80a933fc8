import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { WatcherGroup } from "../../monitor/_liveness/watcher-process.ts";
import {
	decideLaunch,
	judgeSpawn,
	type LaunchFacts,
	type LaunchPlan,
} from "../../monitor/watcher/_launch/decide.ts";

const GROUP: WatcherGroup = {
	pgid: 700,
	leader: "live",
	members: [700],
	unverified: [],
};
const HEADLESS: WatcherGroup = { ...GROUP, leader: "dead", members: [701] };
const HIDDEN: WatcherGroup = { ...GROUP, members: [], unverified: [700] };

const NOTHING: LaunchFacts = {
	mode: "bare",
	pidfile: { kind: "absent" },
	groups: [],
	writable: true,
};
type Check = Extract<LaunchFacts["pidfile"], { kind: "pid" }>["check"];
const pid = (check: Check, leftBehind = 0): LaunchFacts["pidfile"] => ({
	kind: "pid",
	pid: 700,
	check,
	leftBehind,
});
const GO: LaunchPlan = {
	kind: "go",
	reap: [],
	stalePidfile: false,
	leave: [],
};
const REPLACED: LaunchPlan = {
	...GO,
	reap: [{ pgid: 700, event: "replace-reaped" }],
};
const stop = (exit: number) => ({ kind: "stop", exit });

describe("what the launcher does about watchers that are there", () => {
	const cases: readonly (readonly [
		string,
		Partial<LaunchFacts>,
		Partial<LaunchPlan>,
	])[] = [
		["nothing there", {}, GO],
		[
			"bare beside a live one refuses",
			{ pidfile: pid("live"), groups: [GROUP] },
			{ ...stop(1), event: "refuse-bare pid=700" } as LaunchPlan,
		],
		[
			"ensure is content with a live one",
			{ mode: "ensure", pidfile: pid("live"), groups: [GROUP] },
			{ ...stop(0), event: "ensure-noop pid=700" } as LaunchPlan,
		],
		[
			"replace ends a live one",
			{ mode: "replace", pidfile: pid("live"), groups: [GROUP] },
			{ ...REPLACED, stalePidfile: true } as LaunchPlan,
		],
		[
			"a live one without a pidfile is found by the scan: bare",
			{ groups: [GROUP] },
			stop(1) as LaunchPlan,
		],
		["… ensure", { mode: "ensure", groups: [GROUP] }, stop(0) as LaunchPlan],
		["… replace", { mode: "replace", groups: [GROUP] }, REPLACED],
		[
			"replace on a read-only disk leaves the incumbent alive",
			{
				mode: "replace",
				pidfile: pid("live"),
				groups: [GROUP],
				writable: false,
			},
			stop(5) as LaunchPlan,
		],
		[
			"replace on a read-only disk with nobody there goes on",
			{ mode: "replace", writable: false },
			GO,
		],
		[
			"a recycled pid is nobody: the pidfile is stale, nothing is signalled",
			{ pidfile: pid("other") },
			{ ...GO, stalePidfile: true },
		],
		[
			"a dead pid without a group",
			{ pidfile: pid("dead") },
			{ ...GO, stalePidfile: true },
		],
		[
			"a dead pid whose group lives on unproven is left alone",
			{ pidfile: pid("dead", 2) },
			{
				...GO,
				stalePidfile: true,
				leave: ["refuse-unverified-group pgid=700 members=2"],
			},
		],
		[
			"a decapitated group is reaped, bare",
			{ pidfile: pid("dead", 1), groups: [HEADLESS] },
			{
				...GO,
				stalePidfile: true,
				reap: [{ pgid: 700, event: "reap-decapitated" }],
			},
		],
		[
			"a decapitated group is reaped, ensure",
			{ mode: "ensure", groups: [HEADLESS] },
			{ ...GO, reap: [{ pgid: 700, event: "reap-decapitated" }] },
		],
		[
			"a pid that cannot be looked into is alive: bare",
			{ pidfile: pid("unreadable") },
			stop(1) as LaunchPlan,
		],
		[
			"… ensure",
			{ mode: "ensure", pidfile: pid("unreadable") },
			stop(0) as LaunchPlan,
		],
		[
			"… and is never signalled: replace leaves it and its pidfile",
			{ mode: "replace", pidfile: pid("unreadable"), groups: [HIDDEN] },
			{
				...GO,
				leave: ["refuse-unverified-group pid=700 (cannot be looked into)"],
			},
		],
		[
			"an empty pidfile says nothing: the scan decides",
			{ pidfile: { kind: "says-nothing" }, groups: [GROUP] },
			stop(1) as LaunchPlan,
		],
		[
			"an empty pidfile and nobody in the scan",
			{ pidfile: { kind: "says-nothing" } },
			GO,
		],
		[
			"no process table is no information",
			{ mode: "replace", groups: null },
			GO,
		],
	];
	for (const [rule, facts, plan] of cases)
		test(rule, () => {
			expect(decideLaunch({ ...NOTHING, ...facts })).toMatchObject(plan);
		});

	test("replace ends every group there is, whatever the pidfile says", () => {
		const plan = decideLaunch({
			mode: "replace",
			pidfile: pid("other"),
			groups: [GROUP, { ...HEADLESS, pgid: 800 }],
			writable: true,
		});
		expect(plan).toMatchObject({
			reap: [
				{ pgid: 700, event: "replace-reaped" },
				{ pgid: 800, event: "reap-decapitated" },
			],
		});
	});
});

describe("what came of the spawn", () => {
	for (const [rule, livePid, groups, verdict] of [
		[
			"the pidfile names a live watcher",
			700,
			[GROUP],
			{ kind: "ok", pid: 700 },
		],
		["… and the table cannot be read", 700, null, { kind: "ok", pid: 700 }],
		[
			"no pidfile, one group",
			null,
			[GROUP],
			{ kind: "ok", pid: 700, warning: expect.any(String) },
		],
		["nobody", null, [], { kind: "failed" }],
		["nobody known, no table", null, null, { kind: "failed" }],
		[
			"two groups",
			700,
			[GROUP, { ...GROUP, pgid: 800 }],
			{ kind: "duplicate", pgids: [700, 800] },
		],
	] as const)
		test(`${rule} → ${verdict.kind}`, () => {
			expect(judgeSpawn(livePid, groups)).toEqual(verdict);
		});
});

describe("whatever is found", () => {
	const group: fc.Arbitrary<WatcherGroup> = fc.record({
		pgid: fc.integer({ min: 2, max: 9 }),
		leader: fc.constantFrom("live", "dead"),
		members: fc.array(fc.integer({ min: 2, max: 99 }), { maxLength: 2 }),
		unverified: fc.array(fc.integer({ min: 2, max: 99 }), { maxLength: 2 }),
	});
	const facts: fc.Arbitrary<LaunchFacts> = fc.record({
		mode: fc.constantFrom("bare", "ensure", "replace"),
		pidfile: fc.oneof(
			fc.constant({ kind: "absent" } as const),
			fc.constant({ kind: "says-nothing" } as const),
			fc
				.constantFrom<Check[]>("live", "dead", "other", "unreadable")
				.map((check) => pid(check)),
		),
		groups: fc.option(fc.array(group, { maxLength: 3 })),
		writable: fc.boolean(),
	});

	test("only groups with a proven member are ended, and a living leader only by replace on a disk that takes writes", () => {
		fc.assert(
			fc.property(facts, (f) => {
				const plan = decideLaunch(f);
				if (plan.kind === "stop") return;
				for (const { pgid } of plan.reap) {
					const ended = (f.groups ?? []).filter((g) => g.pgid === pgid);
					expect(ended.some((g) => g.members.length > 0)).toBe(true);
					if (ended.every((g) => g.leader === "live"))
						expect([f.mode, f.writable]).toEqual(["replace", true]);
				}
			}),
		);
	});
});
