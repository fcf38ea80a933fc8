/** What a key does in the cockpit (contract 06 §7.3). */
import { describe, expect, test } from "bun:test";
import {
	type Key,
	type KeyState,
	keysIn,
	onKey,
} from "../../monitor/_svc/cockpit/keys.ts";

describe("what a key does", () => {
	const state = (over: Partial<KeyState> = {}): KeyState => ({
		services: 3,
		page: 1,
		pages: 1,
		digit: null,
		notice: "old",
		...over,
	});
	const pressed = (before: KeyState, ...keys: readonly Key[]) => {
		let at = before;
		const effects = keys.flatMap((key) => {
			const [next, done] = onKey(at, key);
			at = next;
			return done.map((e) =>
				"position" in e ? `${e.kind} ${e.position}` : e.kind,
			);
		});
		return { at, effects };
	};

	test.each<[string, Partial<KeyState>, readonly Key[], readonly string[]]>([
		["a service's number follows its log", {}, ["2"], ["follow 2"]],
		["0 follows the watcher's", {}, ["0"], ["follow-watcher"]],
		["x closes the log", {}, ["x"], ["close-log"]],
		[
			"r and Enter look again",
			{},
			["r", "\r", "\n"],
			["refresh", "refresh", "refresh"],
		],
		[
			"of nine services one digit is enough",
			{ services: 9 },
			["9"],
			["follow 9"],
		],
		[
			"a second that passes for nothing does nothing",
			{},
			[{ kind: "waited" }],
			[],
		],
		[
			"one digit, and Enter of another terminal",
			{ services: 12 },
			["1", "\n"],
			["await-digit", "follow 1"],
		],
		["q quits", {}, ["q"], ["quit"]],
		["Ctrl-C quits", {}, ["\u0003"], ["quit"]],
		["other keys do nothing", {}, ["k", " ", "Q"], []],
		[
			"two digits make a number",
			{ services: 12 },
			["1", "2"],
			["await-digit", "follow 12"],
		],
		["10 is one", { services: 12 }, ["1", "0"], ["await-digit", "follow 10"]],
		[
			"one digit, and a second passes",
			{ services: 12 },
			["1", { kind: "waited" }],
			["await-digit", "follow 1"],
		],
		[
			"one digit, and Enter",
			{ services: 12 },
			["1", "\r"],
			["await-digit", "follow 1"],
		],
		[
			"one digit, and another key counts, too",
			{ services: 12 },
			["1", "x"],
			["await-digit", "follow 1", "close-log"],
		],
	])("%s", (_name, over, keys, effects) => {
		expect(pressed(state(over), ...keys).effects).toEqual([...effects]);
	});

	test("a number that is none is said", () => {
		expect(pressed(state(), "9").at.notice).toBe("no service #9");
		const twelve = state({ services: 12 });
		expect(pressed(twelve, "2", "5").at.notice).toBe("no service #25");
		const ten = state({ services: 10 });
		expect(pressed(ten, "1", "1").at.notice).toBe("no service #11");
	});

	test("pages turn in a circle, and only when there are several", () => {
		const three = state({ pages: 3 });
		expect(pressed(three, "n", "n").at.page).toBe(3);
		expect(pressed(three, "n", "n", "n").at.page).toBe(1);
		expect(pressed(three, "p").at.page).toBe(3);
		expect(pressed(state({ page: 2 }), "n").at.page).toBe(2);
	});

	test("an arrow is no key, and neither is a paste", () => {
		expect(keysIn("\u001b[A")).toEqual([]);
		expect(keysIn("please quit, quietly")).toEqual([]);
		expect(keysIn("12")).toEqual(["1", "2"]);
		expect(keysIn("nnnnnnnn")).toHaveLength(8);
	});

	test("no key ever acts on a service", () => {
		const kinds = new Set<string>();
		for (let code = 0; code < 256; code++)
			for (const digit of [null, "1"])
				for (const effect of onKey(
					state({ services: 20, digit }),
					String.fromCharCode(code),
				)[1])
					kinds.add(effect.kind);
		expect([...kinds].sort()).toEqual([
			"await-digit",
			"close-log",
			"follow",
			"follow-watcher",
			"quit",
			"refresh",
		]);
	});
});
