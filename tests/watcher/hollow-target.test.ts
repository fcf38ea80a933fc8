/** The orchestrator's window without an orchestrator in it: told, and a bare shell set aside in the end (contract 04 §13, §16). */
import { beforeEach, describe, expect, test } from "bun:test";
import {
	asideName,
	type HollowMemory,
	hollowVerdict,
	type Inside,
	NOT_HOLLOW,
} from "../../monitor/watcher/_target_window/hollow.ts";

const PATIENCE = { looks: 3, shell: 300, heldUp: 900, waitedFor: 1800 };
const EVERY = 15;
const SHELL: Inside = { kind: "shell", screen: "$ " };
const TYPED: Inside = { kind: "shell", screen: "$ ls" };
const PROGRAM: Inside = { kind: "program" };
const UNKNOWN: Inside = { kind: "unknown" };
const AGENT: Inside = { kind: "agent" };
const HELD_UP: Inside = { kind: "held-up", by: "suspended" };

let memory: HollowMemory;
let now: number;
beforeEach(() => {
	memory = NOT_HOLLOW;
	now = 1_000_000;
});
/** One look after the other; what each of them says, if anything. */
const looks = (inside: Inside, n: number): string[] =>
	Array.from({ length: n }, () => {
		const { next, verdict } = hollowVerdict(memory, inside, now, PATIENCE);
		memory = next;
		now += EVERY;
		return verdict;
	}).filter((verdict) => verdict !== "quiet");

describe("a target window without an agent", () => {
	test.each([
		["a bare shell", SHELL],
		["another program", PROGRAM],
	])("that is %s is told at the third look, once", (_name, inside) => {
		expect(looks(inside, 2)).toEqual([]);
		expect(looks(inside, 10)).toEqual(["tell"]);
	});

	test("is told at the look that was asked for", () => {
		const told = (at: number) => {
			const patience = { ...PATIENCE, looks: at };
			let { next, verdict } = hollowVerdict(NOT_HOLLOW, PROGRAM, now, patience);
			for (let look = 1; ; look++) {
				if (verdict === "tell") return look;
				({ next, verdict } = hollowVerdict(next, PROGRAM, now, patience));
			}
		};
		expect([1, 2, 7].map(told)).toEqual([1, 2, 7]);
	});

	test("that is a bare shell in which nothing moves is set aside when a silent orchestrator would be replaced", () => {
		expect(looks(SHELL, 20)).toEqual(["tell"]);
		expect(looks(SHELL, 1)).toEqual(["set-aside"]);
	});

	test("in which somebody types is not set aside until he has been away for as long", () => {
		looks(SHELL, 19);
		looks(TYPED, 1);
		expect(looks(SHELL, 20)).toEqual([]);
		expect(looks(SHELL, 1)).toEqual(["set-aside"]);
	});

	test("in which a program runs is never set aside", () => {
		looks(SHELL, 19);
		expect(looks(PROGRAM, 200)).toEqual([]);
	});

	test("that nobody can look into is neither told nor set aside", () => {
		expect(looks(UNKNOWN, 200)).toEqual([]);
		looks(SHELL, 19);
		looks(UNKNOWN, 1);
		expect(looks(SHELL, 20)).toEqual([]);
	});

	test("that gets an agent again begins a new episode", () => {
		looks(SHELL, 5);
		looks(AGENT, 1);
		expect(looks(SHELL, 5)).toEqual(["tell"]);
	});

	test("is not set aside by a clock that was set back", () => {
		looks(SHELL, 5);
		now -= 3600;
		expect(looks(SHELL, 20)).toEqual([]);
	});
});

describe("a target window whose agent is held up", () => {
	test("is told once, after a quarter of an hour", () => {
		expect(looks(HELD_UP, 60)).toEqual([]);
		expect(looks(HELD_UP, 200)).toEqual(["tell-held-up"]);
	});

	test("by one dialog after the other is not told, and anew after an agent was seen at work", () => {
		for (let i = 0; i < 20; i++) {
			const by = i % 2 ? "askuq" : "permission";
			expect(looks({ kind: "held-up", by }, 30)).toEqual([]);
		}
		looks(HELD_UP, 61);
		looks(AGENT, 1);
		expect(looks(HELD_UP, 61)).toEqual(["tell-held-up"]);
	});
});

describe("a report that waits behind one turn", () => {
	const waitedFor = (report: string): Inside => ({
		kind: "waited-for",
		report,
	});
	test("is told once, after half an hour in which it was not read", () => {
		expect(looks(waitedFor("a"), 120)).toEqual([]);
		expect(looks(waitedFor("a"), 300)).toEqual(["tell-held-up"]);
		expect(memory.heldUp?.what).toBe("its turn has not read a");
	});
	test("is none when each is read in its time, however long the turn", () => {
		for (let i = 0; i < 20; i++)
			expect(looks(waitedFor(`report ${i}`), 100)).toEqual([]);
	});
	test("is told anew after a turn that read everything", () => {
		looks(waitedFor("a"), 121);
		looks(AGENT, 1);
		expect(looks(waitedFor("b"), 121)).toEqual(["tell-held-up"]);
	});
});

test("what is set aside gets a name that no window has", () => {
	expect(asideName("orchestrator", new Set())).toBe("orchestrator-shell");
	const taken = new Set(["orchestrator-shell", "orchestrator-shell-2"]);
	expect(asideName("orchestrator", taken)).toBe("orchestrator-shell-3");
});
