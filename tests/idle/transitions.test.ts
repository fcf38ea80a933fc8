import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { IdleClass, IdleRow } from "../../monitor/_emit/idle-rows.ts";
import type { ToldRow } from "../../monitor/_state/idle-state.ts";
import {
	closeReminders,
	diffRows,
	learnRows,
} from "../../monitor/watcher/_idle_probe/transitions.ts";
import { NOW } from "./worker-facts.ts";

const row = (window: string, cls: IdleClass, ageSeconds = 120): IdleRow => ({
	window,
	class: cls,
	ageSeconds,
	since: NOW - ageSeconds,
	askedAt: null,
	detail: "",
});
const told = (window: string, cls: string): ToldRow => ({
	window,
	class: cls,
	askedAt: null,
});
const nothing = () => false;

/** Sweeps and delivers what is staged; the windows of each delivery. */
function nights(cycles: readonly (readonly IdleRow[])[]) {
	let memory: readonly ToldRow[] = [];
	return cycles.map((current) => {
		const { emit, keep } = diffRows(current, memory, nothing);
		memory = learnRows(keep, emit);
		return emit.map((r) => `${r.window} ${r.class}`);
	});
}

describe("news", () => {
	const a = row("a", "no-wrap-up");
	const b = row("b", "no-wrap-up");
	test("is each idle window once, and again when its class changes", () => {
		expect(
			nights([
				[a, b],
				[a, b],
				[a, row("b", "wrapped")],
			]),
		).toEqual([["a no-wrap-up", "b no-wrap-up"], [], ["b wrapped"]]);
	});
	test("is a window that came back, even the only one there is", () => {
		expect(nights([[a], [], [a]])).toEqual([
			["a no-wrap-up"],
			[],
			["a no-wrap-up"],
		]);
	});
	test("is no changed age or detail", () => {
		const older = { ...a, ageSeconds: 4000, detail: "x" };
		expect(nights([[a], [older]])[1]).toEqual([]);
	});
	test("with nothing told yet is everything", () => {
		expect(nights([[a, row("c", "retained")]])[0]).toHaveLength(2);
	});
});

describe("a question that an agent waits for", () => {
	const asks = (askedAt: number | null) => ({
		...row("a", "pane-absent"),
		askedAt,
	});
	test("is news once, and the next one again, although nobody saw it work in between", () => {
		expect(nights([[asks(5)], [asks(5)], [asks(9)]])).toEqual([
			["a pane-absent"],
			[],
			["a pane-absent"],
		]);
	});
	test("is the same one when a look cannot say when it was put", () => {
		expect(nights([[asks(5)], [asks(null)], [asks(5)]]).flat()).toHaveLength(1);
	});
	test("that was told goes when the next one stands", () => {
		const known = learnRows([], [asks(5)]);
		expect(diffRows([asks(9)], known, nothing).keep).toEqual([]);
	});
});

describe("retained windows", () => {
	const kept = (...names: string[]) => names.map((n) => row(n, "retained"));
	test("are one unit: told when their set changes and is not empty", () => {
		expect(nights([kept("a", "b"), kept("a", "b"), kept("a"), []])).toEqual([
			["a retained", "b retained"],
			[],
			["a retained"],
			[],
		]);
	});
	test("are told again once they were gone altogether", () => {
		expect(nights([kept("a"), [], kept("a")])[2]).toEqual(["a retained"]);
	});
	test("a change that nobody received stays news, whatever was dropped meanwhile", () => {
		const known = [told("a", "retained"), told("b", "retained")];
		const first = diffRows(kept("a"), known, nothing);
		const second = diffRows(kept("a"), first.keep, nothing);
		expect(second.emit).toEqual(kept("a"));
		expect(learnRows(second.keep, second.emit)).toEqual([
			told("a", "retained"),
		]);
	});
});

describe("the memory", () => {
	test("holds on to what is carried, and to nothing else that is over", () => {
		const known = [told("a", "operator-engaged"), told("b", "wrapped")];
		const { emit, keep } = diffRows([], known, (t) => t.window === "a");
		expect(emit).toEqual([]);
		expect(keep).toEqual([told("a", "operator-engaged")]);
		const back = diffRows([row("a", "operator-engaged")], keep, nothing);
		expect(back.emit).toEqual([]);
	});
	test("learns no reminder", () => {
		expect(learnRows([], [row("a", "engaged-close-reminder")])).toEqual([]);
	});
	test("learns the same row once", () => {
		const a = row("a", "wrapped");
		expect(learnRows(learnRows([], [a]), [a])).toHaveLength(1);
	});
});

describe("a reminder to close", () => {
	const DAY = 86_400;
	const remind = (
		away: number,
		reminded: number,
		cls: IdleClass = "operator-engaged",
	) =>
		closeReminders(
			[row("w", cls)],
			() => ({
				since: NOW - away,
				last: NOW - away,
				promptSeen: 0,
				src: "submit",
				reminded,
			}),
			NOW,
			DAY,
		);
	test("comes once a period while the operator is away", () => {
		expect(remind(25 * 3600, 0)).toEqual([
			{ ...row("w", "engaged-close-reminder"), ageSeconds: 25 * 3600 },
		]);
		expect(remind(25 * 3600, NOW - 60)).toEqual([]);
		expect(remind(50 * 3600, NOW - DAY)).toHaveLength(1);
	});
	test("does not come before, nor for a window that is not his", () => {
		expect(remind(DAY - 1, 0)).toEqual([]);
		expect(remind(DAY, 0)).toHaveLength(1);
		expect(remind(25 * 3600, 0, "wrapped")).toEqual([]);
	});
	test("a memory of it from the far future counts as none", () => {
		expect(remind(25 * 3600, NOW + 2 * DAY)).toHaveLength(1);
	});
});

test("over any nights: what stands and was not received is staged by every sweep, what was received is not", () => {
	const window = fc.constantFrom("a", "b", "c");
	const cls = fc.constantFrom<IdleClass[]>("no-wrap-up", "wrapped", "retained");
	const fleet = fc.uniqueArray(fc.tuple(window, cls), {
		selector: ([w]) => w,
		maxLength: 3,
	});
	const cycle = fc.record({ fleet, delivered: fc.boolean() });
	fc.assert(
		fc.property(fc.array(cycle, { maxLength: 30 }), (cycles) => {
			let memory: readonly ToldRow[] = [];
			/** The model: single rows that were received and stood at every sweep since; the retained set that was received. */
			let received = new Set<string>();
			let retainedReceived = "";
			for (const { fleet: now, delivered } of cycles) {
				const current = now.map(([w, c]) => row(w, c));
				const single = current.filter((r) => r.class !== "retained");
				const retained = current.filter((r) => r.class === "retained");
				const names = retained
					.map((r) => r.window)
					.sort()
					.join();
				received = new Set(
					[...received].filter((key) => single.some((r) => keyOf(r) === key)),
				);
				if (names === "") retainedReceived = "";
				const expected = [
					...single.filter((r) => !received.has(keyOf(r))),
					...(names === retainedReceived ? [] : retained),
				];
				const { emit, keep } = diffRows(current, memory, nothing);
				expect(emit).toEqual(expected);
				memory = delivered ? learnRows(keep, emit) : keep;
				if (!delivered) continue;
				for (const r of expected)
					if (r.class !== "retained") received.add(keyOf(r));
				retainedReceived = names;
			}
		}),
		{ numRuns: 500 },
	);
});

function keyOf(r: IdleRow): string {
	return `${r.window} ${r.class}`;
}
