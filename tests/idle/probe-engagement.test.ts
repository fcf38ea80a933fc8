/** Who was last engaged in a worker, and what a submitted prompt counts as. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PANE_STATES } from "../../monitor/_pane/types.ts";
import { NO_MARK } from "../../monitor/_state/operator-engaged.ts";
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

describe("the last engagement", () => {
	const engaged = (given: Given) => probe(given).next.engagedAt;
	test("of a window seen for the first time is now, whatever tmux says of its activity", () => {
		const given = { engagedAt: null, windowActivity: NOW - HOUR };
		expect(engaged(given)).toBe(NOW);
		expect(probe(given).row).toBeNull();
	});
	test("stays over idle looks", () => {
		expect(engaged(idle(500))).toBe(NOW - 500);
	});
	test.each(["busy", "user-typing", "working-self-paced"] as const)(
		"is now for %s",
		(state) => {
			expect(engaged(pane(state))).toBe(NOW);
		},
	);
	test.each(["empty", "unknown", "blocked", "absent", "over-limit"] as const)(
		"is none for %s",
		(state) => {
			expect(engaged({ ...idle(500), ...pane(state) })).toBe(NOW - 500);
		},
	);
	test("of a clock that ran far ahead is not credible; a little ahead is now", () => {
		expect(engaged(idle(-61))).toBe(NOW);
		expect(engaged(idle(-30))).toBe(NOW + 30);
		expect(probe(idle(-30)).age).toBe(0);
	});
});

describe("a submitted prompt is attributed once", () => {
	const submit = (ago: number, sessionId: string | null = null) => ({
		prompt: { at: NOW - ago, sessionId },
	});
	const moves = { change: { hash: "1", at: NOW } };

	test("to the operator, when the pane moved and no input of ours was near", () => {
		const seen = probe({ ...submit(0), ...moves });
		expect(seen.next.mark).toEqual({
			since: NOW,
			last: NOW,
			promptSeen: NOW,
			src: "submit",
			reminded: 0,
		});
		expect(seen.marked).toBe(true);
		expect(seen.row?.class).toBe("operator-engaged");
	});
	test("after a wrap-up it says so", () => {
		const seen = probe({
			...submit(0),
			...moves,
			events: { wrapUp: wrapUp(300) },
		});
		expect(seen.next.mark.src).toBe("submit-after-wrap");
	});
	test("on a pane that stands still again the mark does not hold", () => {
		const seen = probe({
			mark: {
				...NO_MARK,
				since: NOW - 800,
				last: NOW - 800,
				promptSeen: NOW - 800,
				src: "submit",
			},
			change: { hash: "1", at: NOW - 700 },
			events: { wrapUp: wrapUp(900) },
		});
		expect(seen.row?.class).toBe("wrapped");
	});
	test("a fresh mark is refreshed, not begun again", () => {
		const given = { ...marked(100), ...submit(10), ...moves };
		expect(probe(given).next.mark).toEqual({
			since: NOW - 100,
			last: NOW - 10,
			promptSeen: NOW - 10,
			src: "submit",
			reminded: 0,
		});
	});
	test.each([
		["in the last second of its grace is fresh", marked(1800), {}, 1800],
		["is stale after it, and begun again", marked(1801), {}, 10],
		[
			"that was given back after it began is begun again",
			marked(500),
			{ engagedDoneAt: NOW - 400 },
			10,
		],
		[
			"that began when another was given back is fresh",
			marked(500),
			{ engagedDoneAt: NOW - 500 },
			500,
		],
	])("one %s", (_what, mark, events, since) => {
		const given = { ...mark, ...submit(10), ...moves, events };
		expect(probe(given).next.mark.since).toBe(NOW - since);
	});
	test.each([
		["older than the submit", 11, "submit-after-wrap"],
		["of the same second", 10, "submit"],
		["newer", 9, "submit"],
	])("a wrap-up that is %s", (_what, ago, src) => {
		const events = { wrapUp: wrapUp(ago) };
		const seen = probe({ ...submit(10), ...moves, events });
		expect(seen.next.mark.src).toBe(src);
	});
	test("to nobody, when nothing ever moved: a phantom", () => {
		const seen = probe({ ...submit(40), cfg: { changeTtl: 30 } });
		expect(seen.next.mark).toEqual({ ...NO_MARK, promptSeen: NOW - 40 });
		expect(seen.row?.class).toBe("no-wrap-up");
	});
	test("not yet, while the pane may still follow", () => {
		const seen = probe(submit(40));
		expect(seen.next.mark).toEqual(NO_MARK);
	});

	const ours: [string, Given][] = [
		["a paste that the log tells", { events: { pastedAt: NOW } }],
		["a key or paste of the ledger", { machineInputAt: NOW - 120 }],
		[
			"the prompt of its spawn",
			{ events: { spawnAt: NOW - 100 }, cfg: { spawnGrace: 0 } },
		],
	];
	test.each(ours)("to us after %s", (_name, given) => {
		const seen = probe({ ...submit(0), ...moves, ...marked(500), ...given });
		expect(seen.next).toMatchObject({
			mark: { ...NO_MARK, promptSeen: NOW, src: "machine" },
			engagedAt: NOW,
			machineSubmitAt: NOW,
		});
		expect(seen.marked).toBe(false);
	});
	test("not to us when our input was longer ago", () => {
		const seen = probe({ ...submit(0), ...moves, machineInputAt: NOW - 121 });
		expect(seen.next.mark.src).toBe("submit");
	});
	test("to the agent, when its session is the one that was spawned", () => {
		const seen = probe({ ...submit(0, "s1"), ...moves, ownSessionId: "s1" });
		expect(seen.next.mark).toEqual({ ...NO_MARK, promptSeen: NOW });
	});
	test("to the operator, when it is another session's, or nobody knows whose", () => {
		for (const [prompted, own] of [
			["s2", "s1"],
			["s2", null],
			[null, null],
		] as const) {
			const given = { ...submit(0, prompted), ...moves, ownSessionId: own };
			expect([prompted, own, probe(given).next.mark.src]).toEqual([
				...[prompted, own],
				"submit",
			]);
		}
	});
	test.each([
		["moved just in time", 600, "submit"],
		["moved too long before it", 601, ""],
	])("to the operator only when the pane %s", (_what, before, src) => {
		const change = { hash: "1", at: NOW - 40 - before };
		expect(probe({ ...submit(40), change }).next.mark.src).toBe(src);
	});
	test("to nobody only once the time is over in which the pane may follow", () => {
		const seen = (ago: number) =>
			probe({ ...submit(ago), cfg: { changeTtl: 30 } }).next.mark.promptSeen;
		expect([seen(30), seen(31)]).toEqual([0, NOW - 31]);
	});
	test("and never again", () => {
		const { next } = probe({ ...submit(10), ...moves });
		const again = probe({
			...submit(10),
			...moves,
			mark: next.mark,
			machineInputAt: NOW,
		});
		expect(again.next.mark).toBe(next.mark);
	});
	test("to the operator, where our own input stands in the future: a clock stepped back", () => {
		const seen = probe({
			...submit(0),
			...moves,
			machineInputAt: NOW + 3600,
		});
		expect(seen.marked).toBe(true);
	});
	test("a stamp from the far future is no prompt", () => {
		expect(probe({ ...submit(-9999), ...moves }).next.mark).toEqual(NO_MARK);
	});
});

describe("a mark", () => {
	test.each(["busy", "working-background", "working-self-paced"] as const)(
		"is kept alive while the pane is %s",
		(state) => {
			const seen = probe({ ...marked(100), ...pane(state) });
			expect(seen.next.mark.last).toBe(NOW);
		},
	);
	test.each(["idle", "user-typing", "blocked"] as const)(
		"is not while it is %s",
		(state) => {
			const given = { ...marked(100), ...pane(state) };
			expect(probe(given).next.mark).toBe(probe(given).facts.mark);
		},
	);
	test("is never made by what the pane shows", () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...PANE_STATES),
				fc.option(fc.stringMatching(/^\d{1,9}$/)),
				fc.integer({ min: 0, max: 2000 }),
				(state, contentHash, ago) => {
					const seen = probe({
						pane: { state, contentHash },
						change: { hash: "7", at: NOW - ago },
					});
					expect(seen.marked).toBe(false);
					expect(seen.next.mark).toEqual(NO_MARK);
				},
			),
		);
	});
});
