/** Drift of a component and what is done about it (contract 06 §9.4, §17). */
import { describe, expect, test } from "bun:test";
import type { VersionRecord } from "../../monitor/_state/version-record.ts";
import { driftStep } from "../../monitor/watcher/_version_restart/drift.ts";
import {
	coolingDown,
	decideService,
	decideWatcher,
} from "../../monitor/watcher/_version_restart/guards.ts";

const SETTLE = 45;

describe("what the disk holds against what runs", () => {
	/** One tick after the other on one record. */
	function ticks(...looks: readonly (readonly [string | null, number])[]) {
		let record: VersionRecord = { running: "AAA", pending: null };
		return looks.map(([hash, now]) => {
			const verdict = driftStep(record, hash, SETTLE, now);
			if (verdict.kind === "pending") record = { ...record, pending: verdict };
			if (verdict.kind === "unchanged") record = { ...record, pending: null };
			return verdict.kind === "pending"
				? `pending since ${verdict.firstSeen}`
				: verdict.kind;
		});
	}

	test("a change counts once the disk has been still for the settle time", () => {
		expect(ticks(["BBB", 1010], ["BBB", 1054], ["BBB", 1055])).toEqual([
			"pending since 1010",
			"pending since 1010",
			"drift",
		]);
	});

	test("another change begins the wait anew; half an update changes nothing; the old code ends it", () => {
		expect(
			ticks(
				["BBB", 1010],
				["BBB", 1055],
				["CCC", 1060],
				[null, 1061],
				["AAA", 1070],
				["CCC", 1200],
			),
		).toEqual([
			"pending since 1010",
			"drift",
			"pending since 1060",
			"torn",
			"unchanged",
			"pending since 1200",
		]);
	});

	test("a wait that began in the future begins now", () => {
		expect(ticks(["BBB", 9000], ["BBB", 1000])).toEqual([
			"pending since 9000",
			"pending since 1000",
		]);
	});

	test("what was never recorded is taken as it is", () => {
		const none = { running: null, pending: null };
		expect(driftStep(none, "AAA", SETTLE, 1)).toEqual({
			kind: "adopted",
			hash: "AAA",
		});
		expect(driftStep(none, null, SETTLE, 1).kind).toBe("torn");
	});
});

describe("the watcher", () => {
	const now = 100_000;
	const facts = {
		now,
		lastRestartAt: null,
		trippedAt: null,
		history: [],
		writable: true,
	};
	const limits = {
		selfAllowed: true,
		cooldownSeconds: 600,
		loopLimit: 3,
		loopWindowSeconds: 3600,
	};
	const recent = [now - 3000, now - 2000, now - 1000];

	test.each([
		["nothing is against it", {}, {}, { kind: "restart", clear: false }],
		["the cooldown is on", { lastRestartAt: now - 599 }, {}, { kind: "later" }],
		[
			"the cooldown is over",
			{ lastRestartAt: now - 600 },
			{},
			{ kind: "restart" },
		],
		[
			"it may not restart itself",
			{},
			{ selfAllowed: false },
			{ kind: "ask", adopt: true },
		],
		[
			"it may not, and the cooldown is on",
			{ lastRestartAt: now - 1 },
			{ selfAllowed: false },
			{ kind: "later" },
		],
		[
			"it restarted three times within the hour",
			{ history: recent },
			{},
			{ kind: "ask", adopt: false, word: `guard-tripped-${now}` },
		],
		[
			"the guard tripped lately",
			{ trippedAt: now - 60 },
			{},
			{ kind: "later" },
		],
		[
			"a trip has served its time",
			{ trippedAt: now - 3600, history: recent },
			{},
			{ kind: "restart", clear: true },
		],
		["the disk takes no write", { writable: false }, {}, { kind: "later" }],
		["the history cannot be read", { history: null }, {}, { kind: "later" }],
	])("when %s", (_, given, set, wanted) => {
		expect(
			decideWatcher({ ...facts, ...given }, { ...limits, ...set }),
		).toMatchObject(wanted);
	});

	test("the trip names the count", () => {
		const action = decideWatcher({ ...facts, history: recent }, limits);
		expect(action.kind === "ask" && action.note).toContain("3 restarts");
	});
});

describe("a service", () => {
	const idle = { now: 1000, lastRestartAt: null, cooldownSeconds: 600 };
	test("is restarted, or asked for where that is off", () => {
		expect(decideService(idle, true).kind).toBe("restart");
		expect(decideService(idle, false)).toMatchObject({
			kind: "ask",
			adopt: true,
		});
		expect(decideService({ ...idle, lastRestartAt: 500 }, true).kind).toBe(
			"later",
		);
	});

	test("a cooldown that began in the future holds nothing up", () => {
		expect(coolingDown({ ...idle, lastRestartAt: 5000 })).toBeNull();
	});
});
