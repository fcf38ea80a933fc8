/** What counts as lost after a soak: the account must not be kind. */
import { expect, test } from "bun:test";
import { accountOf, isLost, type Outcome } from "../../bench/soak/account.ts";
import { emptyLedger, type Ledger } from "../../bench/soak/ledger.ts";

const T = 1_000_000_000;
const MINUTE = 60_000;
const telling = (at: number, text = " id=7 author=op") => ({ at, text });

/** A short night in which all went well; each case spoils one thing. */
function outcome(
	over: Partial<Outcome> = {},
	ledger: Partial<Ledger> = {},
): Outcome {
	return {
		ledger: {
			...emptyLedger(),
			asked: [{ id: 7, issue: 1, at: T, fate: "report", window: "w1" }],
			...ledger,
		},
		told: [
			telling(T + 5000),
			telling(T + 9000, "+w1.md\nrequest=q1 origin=w1"),
		],
		eyes: new Set([7]),
		rockets: new Set([7]),
		reports: ["w1.md"],
		requests: [{ id: "q1", isClosed: true }],
		prompts: ["a report"],
		watchers: 1,
		orchestrators: 1,
		problems: 0,
		...over,
	};
}
const kill = (
	what: "watcher" | "worker",
	at: number,
	backAt: number | null,
) => ({
	what,
	at,
	backAt,
	window: "w1",
});
const vitals = {
	at: T,
	pid: 1,
	pssMiB: 50,
	ownMiB: 40,
	cpuSeconds: 1,
	files: 10,
	kiB: 9,
};

test("nothing is lost when everything was told once and settled", () => {
	expect(accountOf(outcome()).filter((row) => row.isMissed)).toEqual([]);
});

test("a refused turn is not lost where its worker was handed something else meanwhile, and settled it", () => {
	const night = outcome({}, { refusals: [{ window: "w1", at: T, id: 7 }] });
	expect(isLost(accountOf(night))).toBe(false);
});

for (const [what, spoilt] of [
	["comments never told", outcome({ told: outcome().told.slice(1) })],
	[
		"told again without a reason",
		outcome({ told: [...outcome().told, telling(T + MINUTE)] }),
	],
	["without EYES", outcome({ eyes: new Set() })],
	["without ROCKET", outcome({ rockets: new Set() })],
	[
		"strangers' comments told",
		outcome({ told: [...outcome().told, telling(T, "author=mallory")] }),
	],
	["reports never told", outcome({ reports: ["w1.md", "w2.md"] })],
	[
		"requests never told",
		outcome({ requests: [{ id: "q2", isClosed: true }] }),
	],
	[
		"requests left open",
		outcome({ requests: [{ id: "q1", isClosed: false }] }),
	],
	[
		"forbidden commands never told",
		outcome({}, { permissions: [{ window: "w1", at: T }] }),
	],
	[
		"refused turns neither told nor gone on with",
		outcome({}, { refusals: [{ window: "w1", at: T, id: 9 }] }),
	],
	[
		"workers' deaths never told",
		outcome({}, { kills: [kill("worker", T, null)] }),
	],
	[
		"drafts destroyed",
		outcome({}, { drafts: [{ text: "d", end: "destroyed" }] }),
	],
	[
		"drafts sent",
		outcome(
			{ prompts: ["a draft of mine"] },
			{ drafts: [{ text: "draft", end: "kept" }] },
		),
	],
	["requests that GitHub would refuse", outcome({ problems: 1 })],
	["watchers at most, at the end", outcome({ watchers: 0 })],
	[
		"orchestrators at most, at the end",
		outcome({}, { vitals: [{ ...vitals, watchers: 1, orchestrators: 2 }] }),
	],
	["watcher killed", outcome({}, { kills: [kill("watcher", T, null)] })],
] as const)
	test(`${what}: that alone is missed`, () => {
		const rows = accountOf(spoilt);
		expect(rows.filter((row) => row.isMissed).map((row) => row.what)).toEqual([
			what,
		]);
		expect(isLost(rows)).toBe(true);
	});

for (const [why, again, kills] of [
	[
		"the watcher was killed before it had learned",
		T + 40_000,
		[kill("watcher", T + 9000, T + 20_000)],
	],
	["nobody had marked it for five minutes", T + 5000 + 5 * MINUTE, []],
] as const)
	test(`a comment may be told again when ${why}`, () => {
		const told = [...outcome().told, telling(again)];
		expect(isLost(accountOf(outcome({ told }, { kills: [...kills] })))).toBe(
			false,
		);
	});
