import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { IdleClass } from "../../monitor/_emit/idle-rows.ts";
import { PANE_STATES } from "../../monitor/_pane/types.ts";
import { NO_MARK } from "../../monitor/_state/operator-engaged.ts";
import type { WorkerHealth } from "../../monitor/_state/worker-health.ts";
import {
	type Given,
	idle,
	marked,
	NOW,
	pane,
	probe,
	wrapUp,
} from "./worker-facts.ts";

const HOUR = 3600;
const retain = (ago: number, reason = "waits for review") => ({
	at: NOW - ago,
	reason,
});
const marker = (ago: number, recovery = "paste") => ({
	at: NOW - ago,
	category: "transient",
	recovery,
	sessionId: null,
});
/** It said, so long ago, that its job runs for an hour. */
const job = (ago: number, more: Partial<WorkerHealth> = {}) => ({
	window: "w",
	jobKind: "local",
	jobId: "",
	expectedRuntimeSeconds: HOUR,
	health: "running" as const,
	note: "",
	writtenAt: NOW - ago,
	...more,
});

describe("a worker", () => {
	const rows: [string, Given, IdleClass | null][] = [
		["idle for longer than the threshold", idle(120), "no-wrap-up"],
		["idle for less", idle(5), null],
		[
			"with a suggestion in its box is idle",
			pane("autosuggest-only"),
			"no-wrap-up",
		],
		["in which somebody types is not", pane("user-typing"), null],
		["that is busy is not", pane("busy"), null],
		["that cannot be read this instant is not", pane("empty"), null],
		["that nobody could look at is not", pane("unknown"), null],
		["that paces itself is not", pane("working-self-paced"), null],
		["with live background work is not", pane("working-background"), null],
		[
			"that is gone is, whatever it left",
			{
				...pane("absent"),
				events: { wrapUp: wrapUp(600), retain: retain(60) },
			},
			"pane-absent",
		],
		[
			"with outside work and no wake-up",
			{ pane: { state: "idle-orphan-async", orphanKinds: "slurm:1" } },
			"idle-orphan-async",
		],
		["that wrapped up", { events: { wrapUp: wrapUp(600) } }, "wrapped"],
		[
			"whose wrap-up has a stub for a report",
			{
				events: { wrapUp: wrapUp(600) },
				reportProblems: ["section: ## Summary"],
			},
			"wrapped-but-stub",
		],
		[
			"spawned a moment ago",
			{ events: { spawnAt: NOW - 30 }, cfg: { spawnGrace: 120 } },
			null,
		],
		[
			"spawned as long ago as the grace",
			{ events: { spawnAt: NOW - 120 }, cfg: { spawnGrace: 120 } },
			"no-wrap-up",
		],
		[
			"idle for more than a day, wrapped up or not",
			{ ...idle(25 * HOUR), events: { wrapUp: wrapUp(26 * HOUR) } },
			"idle-too-long",
		],
		[
			"idle for a day to the second",
			{ ...idle(24 * HOUR), events: { wrapUp: wrapUp(25 * HOUR) } },
			"idle-too-long",
		],
		[
			"idle for a day where that is allowed",
			{
				...idle(25 * HOUR),
				events: { wrapUp: wrapUp(26 * HOUR) },
				cfg: { close: 99 * HOUR },
			},
			"wrapped",
		],
		[
			"that is retained",
			{ events: { wrapUp: wrapUp(600), retain: retain(60) } },
			"retained",
		],
		[
			"that was retained in the very second of its last engagement",
			{ ...idle(80), events: { wrapUp: wrapUp(600), retain: retain(80) } },
			"retained",
		],
		[
			"retained for as long as a retain lives",
			{
				...idle(2 * HOUR),
				events: { retain: retain(HOUR) },
				cfg: { retainTtl: HOUR },
			},
			"retained",
		],
		[
			"that did something after it was retained",
			{ ...idle(70), events: { wrapUp: wrapUp(600), retain: retain(80) } },
			"wrapped",
		],
		[
			"retained for longer than a retain lives",
			{
				...idle(3 * HOUR),
				events: { retain: retain(2 * HOUR) },
				cfg: { retainTtl: 3600 },
			},
			"no-wrap-up",
		],
		[
			"retained two hours ago",
			{ ...idle(3 * HOUR), events: { retain: retain(2 * HOUR) } },
			"retained",
		],
		[
			"that is retained with a stub for a report",
			{
				events: { wrapUp: wrapUp(600), retain: retain(60) },
				reportProblems: ["x"],
			},
			"wrapped-but-stub",
		],
		["whose turn crashed", { failure: marker(0) }, "interrupted"],
		[
			"whose turn crashed half an hour ago",
			{ failure: marker(1800) },
			"interrupted",
		],
		["whose turn crashed long ago", { failure: marker(1801) }, "no-wrap-up"],
		[
			"whose turn crashed and that cannot be read",
			{ ...pane("empty"), failure: marker(10) },
			"interrupted",
		],
		[
			"whose turn crashed, and that works again",
			{ ...pane("busy"), failure: marker(0) },
			null,
		],
		[
			"in which another session crashed",
			{
				pane: { sessionId: "b" },
				failure: { ...marker(0), sessionId: "a" },
			},
			"no-wrap-up",
		],
		[
			"whose turn crashed a day ago, with a fresh marker",
			{ ...idle(25 * HOUR), failure: marker(0) },
			"idle-too-long",
		],
		[
			"with a paste that no submit followed",
			{ submittedPasteAt: NOW - 200 },
			"paste-unconfirmed",
		],
		[
			"with such a paste, old enough to the second",
			{ submittedPasteAt: NOW - 180 },
			"paste-unconfirmed",
		],
		[
			"with such a paste, whose last submit is older",
			{
				submittedPasteAt: NOW - 200,
				prompt: { at: NOW - 201, sessionId: null },
				mark: { ...NO_MARK, promptSeen: NOW - 201 },
			},
			"paste-unconfirmed",
		],
		[
			"with such a paste, submitted in the same second",
			{
				submittedPasteAt: NOW - 200,
				prompt: { at: NOW - 200, sessionId: null },
				mark: { ...NO_MARK, promptSeen: NOW - 200 },
			},
			"no-wrap-up",
		],
		[
			"with such a paste right after its spawn",
			{
				submittedPasteAt: NOW - 200,
				events: { spawnAt: NOW - 200 },
			},
			"paste-unconfirmed",
		],
		[
			"with such a paste, too young",
			{ submittedPasteAt: NOW - 100 },
			"no-wrap-up",
		],
		[
			"with such a paste and no hooks to tell of a submit",
			{ submittedPasteAt: NOW - 200, hooksLive: false },
			"no-wrap-up",
		],
		[
			"with a paste that was submitted",
			{
				submittedPasteAt: NOW - 200,
				prompt: { at: NOW - 199, sessionId: null },
				mark: { ...NO_MARK, promptSeen: NOW - 199 },
			},
			"no-wrap-up",
		],
		[
			"with a paste of an earlier life",
			{
				submittedPasteAt: NOW - 900,
				events: { spawnAt: NOW - 800 },
			},
			"no-wrap-up",
		],
		[
			"retained, with an unconfirmed paste",
			{ submittedPasteAt: NOW - 200, events: { retain: retain(60) } },
			"paste-unconfirmed",
		],
		[
			"of the operator's",
			{ ...marked(100), events: { wrapUp: wrapUp(50) } },
			"operator-engaged",
		],
		[
			"of the operator's that he gave back",
			{
				...marked(100),
				events: { wrapUp: wrapUp(50), engagedDoneAt: NOW - 5 },
			},
			"wrapped",
		],
		["whose job runs, as it said", { health: job(HOUR + 600) }, null],
		["whose job should be over", { health: job(HOUR + 601) }, "no-wrap-up"],
		["whose job is done", { health: job(0, { health: "done" }) }, "no-wrap-up"],
		[
			"whose job runs, and that wrapped up",
			{ health: job(0), events: { wrapUp: wrapUp(600) } },
			"wrapped",
		],
		[
			"whose job runs, with an unconfirmed paste",
			{ health: job(0), submittedPasteAt: NOW - 200 },
			"paste-unconfirmed",
		],
		[
			"whose predecessor's job runs",
			{
				health: job(100),
				events: { spawnAt: NOW - 90 },
				cfg: { spawnGrace: 0 },
			},
			"no-wrap-up",
		],
		[
			"whose job was told in the second of its spawn",
			{
				health: job(90),
				events: { spawnAt: NOW - 90 },
				cfg: { spawnGrace: 0 },
			},
			null,
		],
		[
			"whose job runs for longer than a day",
			{
				...idle(25 * HOUR),
				health: job(25 * HOUR, { expectedRuntimeSeconds: 30 * HOUR }),
			},
			null,
		],
		[
			"whose job is said to run for ever",
			{
				...idle(49 * HOUR),
				health: job(172_801, { expectedRuntimeSeconds: 1e9 }),
			},
			"idle-too-long",
		],
		[
			"whose word on its job is from the far future",
			{ health: job(-HOUR - 601) },
			"no-wrap-up",
		],
		[
			"that we gave new work after its wrap-up",
			{ events: { wrapUp: wrapUp(600) }, machineSubmitAt: NOW - 599 },
			"no-wrap-up",
		],
		[
			"that wrapped up the work we gave it",
			{ events: { wrapUp: wrapUp(600) }, machineSubmitAt: NOW - 600 },
			"wrapped",
		],
	];
	test.each(rows)("%s", (_name, given, cls) => {
		expect(probe(given).row?.class ?? null).toBe(cls);
	});
});

describe("what a row says besides its class", () => {
	const detail = (given: Given) => probe(given).row?.detail;
	test("a stub names what its report lacks", () => {
		const lacks = {
			reportProblems: ["section: ## Summary", "body too short: 0 < 500 chars"],
		};
		const events = { wrapUp: wrapUp(600) };
		const said = "section: ## Summary;body too short: 0 < 500 chars";
		expect(detail({ events, ...lacks })).toBe(said);
		expect(detail({ events, ...lacks, ...idle(25 * HOUR) })).toBe(said);
	});
	test("a crash names its kind and who gets it going again", () => {
		expect(detail({ failure: marker(0, "respawn") })).toBe("transient:respawn");
	});
	test("a retained window says why, word for word", () => {
		const events = { retain: retain(60, "asks (twice), waits") };
		expect(detail({ events })).toBe("asks (twice), waits");
	});
	test("the operator's says what made it his", () => {
		expect(detail(marked(100))).toBe("submit");
		const mark = { ...NO_MARK, since: NOW - 100, last: NOW - 100 };
		expect(detail({ ...marked(100), mark })).toBe("engaged");
	});
	test("an unconfirmed paste says how old it is", () => {
		expect(detail({ submittedPasteAt: NOW - 250 })).toBe("paste 4m ago");
	});
	test("outside work without a name is unknown", () => {
		expect(detail(pane("idle-orphan-async"))).toBe("unknown");
	});
	test("ages count from the last engagement", () => {
		expect(probe(idle(500)).row?.ageSeconds).toBe(500);
	});
});

describe("a usage limit is told at once, whatever the age", () => {
	const limited: Given = {
		...idle(1),
		windowActivity: NOW - 77,
		events: { spawnAt: NOW - 5 },
		pane: {
			state: "over-limit",
			limit: { resetAt: "3am_UTC", flavour: "weekly", words: null },
		},
	};
	test("with its reset, its kind and the window's own quiet time", () => {
		expect(probe(limited).row).toEqual({
			window: "w",
			class: "over-limit",
			ageSeconds: 77,
			since: NOW - 1,
			askedAt: null,
			detail: "3am_UTC",
			limit: { flavour: "weekly", words: null },
		});
	});
});

test("a usage limit of which nothing is known says so, without an age", () => {
	expect(
		probe({ ...idle(1), windowActivity: null, ...pane("over-limit") }).row,
	).toMatchObject({
		ageSeconds: 0,
		detail: "unknown",
		limit: { flavour: "unknown", words: null },
	});
});

describe("an agent that asked something", () => {
	const asks = (overlay: string | null, more: Given = {}): Given => ({
		...idle(1),
		...more,
		pane: { state: "blocked", overlay },
	});
	test.each(["permission", "askuq", "rate-limit", null])(
		"by a dialog of kind %p is told at once, a spawn ago or not",
		(overlay) => {
			const given = asks(overlay, { events: { spawnAt: NOW - 5 } });
			expect(probe(given).row?.class).toBe("pane-absent");
		},
	);
	test.each(["dialog", "workspace-trust", "login"])(
		"not: a %s waits for the threshold like everything else",
		(overlay) => {
			expect(probe(asks(overlay)).row).toBeNull();
			const later = probe({ ...asks(overlay), ...idle(60) });
			expect(later.row?.class).toBe("pane-absent");
		},
	);
	test("where the operator works he may answer first", () => {
		const given = asks("permission", marked(50));
		expect(probe(given).row).toBeNull();
		expect(probe({ ...given, ...idle(60) }).row?.class).toBe("pane-absent");
	});
	test("is to be answered, not relaunched", () => {
		expect(probe(asks("permission")).row?.detail).toBe(
			"overlay waits for an answer in the pane; do not relaunch or close, answer it [permission]",
		);
		expect(probe(pane("absent")).row?.detail).toBe(
			"claude process gone or unresponsive; relaunch or close",
		);
	});
});

describe("background shells", () => {
	const shells = (ticks: number | null, known: [number, number] | null) => ({
		pane: { state: "working-background" as const, backgroundTicks: ticks },
		progress: known && { cpuTicks: known[0], at: NOW - known[1] },
	});
	test("that use the processor are work", () => {
		const seen = probe(shells(200, [100, 5 * HOUR]));
		expect(seen.row).toBeNull();
		expect(seen.next).toMatchObject({
			engagedAt: NOW,
			progress: { cpuTicks: 200, at: NOW },
		});
	});
	test("that stand still are work for an hour, then the worker is idle", () => {
		expect(probe(shells(100, [100, 3600])).next.engagedAt).toBe(NOW);
		const seen = probe({ ...shells(100, [100, 3601]), ...idle(500) });
		expect(seen.row?.class).toBe("no-wrap-up");
		expect(seen.next).toMatchObject({
			engagedAt: NOW - 500,
			progress: { cpuTicks: 100, at: NOW - 3601 },
		});
	});
	test("that nobody could count never stand still", () => {
		const seen = probe(shells(null, [0, 9 * HOUR]));
		expect(seen.row).toBeNull();
		expect(seen.next.engagedAt).toBe(NOW);
	});
});

describe("the clock of what a pane says", () => {
	const change = (given: Given) => probe(given).next.change;
	const known = { change: { hash: "1", at: NOW - 50 } };
	test("starts with the first digest, and moves with each new one", () => {
		expect(change({ pane: { contentHash: "5" } })).toEqual({
			hash: "5",
			at: NOW,
		});
		expect(change({ ...known, pane: { contentHash: "2" } })).toEqual({
			hash: "2",
			at: NOW,
		});
		expect(change({ ...known, pane: { contentHash: "1" } })).toEqual(
			known.change,
		);
	});
	test("without a digest moves while the pane works, and keeps what it knew", () => {
		expect(change({ ...known, ...pane("busy") })).toEqual({
			hash: "1",
			at: NOW,
		});
		expect(change(pane("busy"))).toEqual({ hash: "", at: NOW });
	});
	test("does not move for somebody who types", () => {
		expect(change({ ...known, ...pane("user-typing") })).toEqual(known.change);
		expect(change(pane("user-typing"))).toBeNull();
	});
});

describe("in the grace after a clock gap", () => {
	const gap = (given: Given) => probe({ ...given, afterGap: true });
	test.each([
		["dead", pane("absent")],
		["blocked", { pane: { state: "blocked", overlay: "permission" } }],
		["without its paste", { submittedPasteAt: NOW - 200 }],
		[
			"stalled",
			{
				pane: { state: "working-background", backgroundTicks: 5 },
				progress: { cpuTicks: 5, at: NOW - 9 * HOUR },
			},
		],
	] satisfies [string, Given][])(
		"nothing is said to be %s, and what was said stands",
		(_n, given) => {
			const seen = gap(given);
			expect(seen.row).toBeNull();
			expect(seen.withheld).toBe(true);
			expect(seen.next.engagedAt).toBe(NOW - 120);
		},
	);
	test("what is plainly there is told", () => {
		expect(gap(idle(120)).row?.class).toBe("no-wrap-up");
		expect(gap({ failure: marker(0) }).row?.class).toBe("interrupted");
	});
	test("a worker that is at rest for other reasons is not withheld", () => {
		expect(gap(pane("busy")).withheld).toBe(false);
	});
});

test("whatever is known, a probe answers, with an age that is none of the future's", () => {
	const time = fc.option(fc.integer({ min: NOW - 1e6, max: NOW + 1e6 }));
	const given = fc.record({
		state: fc.constantFrom(...PANE_STATES),
		engagedAt: time,
		machineSubmitAt: time,
		machineInputAt: time,
		submittedPasteAt: time,
		spawnAt: time,
		promptAt: time,
		changeAt: time,
		wrapAt: time,
		retainAt: time,
		since: fc.nat(NOW + 1000),
		afterGap: fc.boolean(),
	});
	fc.assert(
		fc.property(given, (g) => {
			const seen = probe({
				...pane(g.state),
				engagedAt: g.engagedAt,
				machineSubmitAt: g.machineSubmitAt,
				machineInputAt: g.machineInputAt,
				submittedPasteAt: g.submittedPasteAt,
				prompt:
					g.promptAt === null ? null : { at: g.promptAt, sessionId: null },
				change: g.changeAt === null ? null : { hash: "1", at: g.changeAt },
				mark: { ...NO_MARK, since: g.since, last: g.since },
				events: {
					spawnAt: g.spawnAt,
					wrapUp: g.wrapAt === null ? null : { at: g.wrapAt, report: "r.md" },
					retain: g.retainAt === null ? null : { at: g.retainAt, reason: "" },
				},
				afterGap: g.afterGap,
			});
			expect(seen.age).toBeGreaterThanOrEqual(0);
			expect(seen.row?.ageSeconds ?? 0).toBeGreaterThanOrEqual(0);
			expect(seen.row !== null && seen.withheld).toBe(false);
			if (g.state === "unknown" || g.state === "busy")
				expect(seen.row).toBeNull();
		}),
	);
});
