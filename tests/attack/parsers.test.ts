/** No text, word or value makes a reader of ours throw, hang, or leave anything behind (architecture, rule 3). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { jsonIn } from "../../monitor/_fleet/thrum/parse.ts";
import { inputOf } from "./inputs.ts";
import { nastyText } from "./nasty.ts";
import { type AnyFunction, exported, PARSERS } from "./parsers.ts";

/** What the few take that want more than one thing. */
const PLACES = {
	key: () => ({ line: 1, col: 1 }),
	value: () => ({ line: 1, col: 1 }),
};
const FURTHER: Readonly<Record<string, readonly unknown[]>> = {
	"config/file-warnings.ts fileWarnings": [PLACES],
	"config/identity.ts checkRequired": [{}, {}, "all"],
	"config/report.ts dump": ["/home/op"],
	"config/report.ts printValue": ["/home/op"],
	"config/resolve.ts resolveConfig": [{}, { root: "/r", home: "/h" }],
	"config/runtimes.ts resolveRuntimes": [{}],
	"config/runtimes.ts runtimeCommands": [{}],
	"config/tree.ts getKey": ["constructor.name"],
	"config/tree.ts getPath": [["__proto__", 0]],
	"config/validate.ts validateTree": [PLACES],
	"monitor/_delivery/evidence.ts arrivedWhole": ["a payload"],
	"monitor/_delivery/evidence.ts provesCommand": ["/status"],
	"monitor/_delivery/evidence.ts provesDelivery": ["needle"],
	"monitor/_fleet/jev/state.ts paneStateOf": ["agent"],
	"monitor/_fleet/thrum/parse.ts captureDocOf": ["agent"],
	"monitor/_github/errors.ts classify": [{ timedOut: true }],
	"monitor/_nexus/demo/model/request.ts readModelRequest": [null],
	"monitor/_state/action-log.ts parseActionLog": [["spawn", "a.*(b"]],
	"monitor/_state/over-limit-stamp.ts parseOverLimitStamp": [1_800_000_000],
	"monitor/_state/rows-file.ts parseRows": [(line: string) => line],
	"monitor/_state/services-registry.ts parseRegistry": [
		{ root: "/srv/$&", home: "/h$1", defaultPolicy: "emit-only" },
	],
	"monitor/_sys/cli.ts parseCli": [
		{
			flags: { "--a": "value", "--__proto__": "list", "--b": "switch" },
			aliases: { "-x": "--a" },
			maxPositionals: 3,
		},
	],
	"monitor/_sys/tmux-sessions.ts parseSessionRows": [["@opt"]],
};
/** One good text of each kind that has a `render…` beside its `parse…`. */
const SAMPLES: Readonly<Record<string, string>> = {
	Blocks:
		"issue=1 id=2 author=op path=a.ts _addr=1\n  body: x\nwatcher_alert=k surface=s\n  body: y\n",
	BootIntent: "mode=fresh\nts=1\nsource=s\npid=2\n",
	CcUpdate:
		"candidate=2.1.3\ninstalled=2.1.2\npackage=p\ndetected=d\nskill=s\n",
	DecisionStamps: "w1\t0123456789ab\t1800000000\n",
	Deferral: "3\t1800000000\n",
	EmitRing: "1800000000\tabc\n",
	GitHubPause: "until=2\narmed=1\nstreak=1\nkind=primary\n",
	Incident:
		"service=s\nstatus=grace\npolicy=emit-only\nfirst_unhealthy=1\nrestart_attempts=2\nlast_restart=3\nescalated=yes\n",
	LimitRow: "w1\tw1\tworker\t3am_Europe/Berlin\t4\t3\t2\t1",
	MachineInput: "w1\t1800000000\tpaste\tf\n",
	Message:
		'{"message_id":"msg_1","agent_id":"a","to":["b"],"body":{"content":"c"},"created_at":"t","reply_to":"r","scopes":[{"type":"t","value":"v"}]}',
	OrphanRow: "w1\tslurm:1\t1\t2\t3",
	Provenance: '{"window":"w","session_id":"s","skeptic_mode":"deny"}',
	RequestStamps: "r-1\t1800000000\t2\n",
	RespawnStage: "spawned @1 2 3",
	StagedBells: "3\tw1\n",
	StagedIdle: "w1\tover-limit\t60\td\tfive_hour\tsoon\t1\t2\n",
	Unconfirmed: "1800000000\t-\tseen\tnexus-emit-sig now a1b2c3",
	WatcherCycle: "pid=1\nepoch=2\nts=t\nperiod_s=3\nema_s=4\n",
	WatcherHeartbeat: "pid=1\nts=t\ntarget=o\n",
	WatcherProgress: "pid=1\nepoch=2\nts=t\nstage=loop-tick\n",
	WatcherRevived:
		"reason=r\ndowntime_estimate_s=?\ndetected_at=d\nrestarted_by=watcher-self-heal\n",
	WorkerHealth: '{"window":"w","health":"stuck","written_at":1,"note":"n"}',
};
/** Written from more, or from other things, than are read again: each has its own tests. */
const VIEWS: readonly string[] = [
	...["Beacon", "ColonLines", "Decision", "InstanceMeta", "Kv"],
	...["Manifest", "WatchParams", "WatcherLock"],
];
/** Written row by row. */
const BY_ROW: readonly string[] = ["MachineInput"];
/** What the few writers take that want more than the value. */
const WRITER: Readonly<Record<string, readonly unknown[]>> = {
	Incident: [String],
};

const RUNS = { numRuns: 60 };

test("each reader that wants more than one thing is given it", () => {
	expect(PARSERS.length).toBeGreaterThan(120);
	const wanting = PARSERS.filter((p) => p.further > 0).map((p) => p.name);
	expect(wanting.sort()).toEqual(Object.keys(FURTHER).sort());
});

test("each that has a writer of the same name is held against it", async () => {
	const found = await Promise.all(
		PARSERS.map(async ({ path, noun }) =>
			(await exported(path, `render${noun}`)) === null ? [] : [noun],
		),
	);
	expect([...new Set(found.flat())].sort()).toEqual(
		[...Object.keys(SAMPLES), ...VIEWS].sort(),
	);
});

/** What it is given was thrown by the platform itself. */
const TRUSTS_ITS_INPUT = [
	"monitor/_sys/errno.ts errnoOf",
	"monitor/_sys/file-answers.ts notListed",
];

describe.each(
	PARSERS.filter((p) => !TRUSTS_ITS_INPUT.includes(p.name)).map(
		(p) => [p.name, p] as const,
	),
)("%s", (name, parser) => {
	const load = async (): Promise<AnyFunction> => {
		const found = await exported(parser.path, parser.export);
		if (found === null) throw new Error(`${name} is not exported`);
		return (first) => found(first, ...(FURTHER[name] ?? []));
	};

	test("takes whatever comes", async () => {
		const parse = await load();
		fc.assert(
			fc.property(inputOf(parser), (input) => {
				parse(input);
			}),
			RUNS,
		);
		expect(Reflect.ownKeys({ ...Object.prototype })).toEqual([]);
	});

	if (parser.takes !== "text") return;

	test.each(FLOODS)("ends, though it is %s", async (_what, flood) => {
		(await load())(flood);
	});

	const sample = SAMPLES[parser.noun];
	if (sample === undefined) return;

	test("says of what is written anew what it said before, and nobody's words add to it", async () => {
		const parse = await load();
		const render = await exported(parser.path, `render${parser.noun}`);
		const written = (value: unknown): string => {
			const whole = BY_ROW.includes(parser.noun)
				? Array.from(Object(value))
				: [value];
			const texts = whole.map((one) =>
				render?.(one, ...(WRITER[parser.noun] ?? [])),
			);
			const [only] = texts;
			return typeof only === "string" ? texts.join("") : JSON.stringify(only);
		};
		const first = parse(sample);
		expect(first).not.toBeNull();
		expect(parse(written(first))).toEqual(first);
		const word = fc.oneof(
			nastyText,
			fc.constantFrom(`\n${sample}`, `x\t1\n${sample}`),
		);
		const changed = fc.func(word).map((other) => withOtherWords(first, other));
		fc.assert(
			fc.property(changed, (value) => {
				const once = parse(written(value));
				if (once === null) return;
				expect(sizeOf(once)).toBeLessThanOrEqual(sizeOf(first));
				expect(parse(written(once))).toEqual(once);
			}),
			{ numRuns: 400 },
		);
	});
});

test("an answer of thrum's is looked for in no time, whatever stands before it", () => {
	for (const line of ["{", "[", '{"a":1}', "[x] y"])
		expect(jsonIn(`${line}\n`.repeat(100_000))).toBeUndefined();
	expect(jsonIn(`[note] hi\n{"a":1}\n`)).toEqual({ a: 1 });
});

/** Far more than any file of ours holds: what takes the square of it never ends. */
const LENGTH = 300_000;
const FLOODS: readonly (readonly [string, string])[] = [
	["one long word", "a".repeat(LENGTH)],
	["all blanks", " ".repeat(LENGTH)],
	["all tabs", "\t".repeat(LENGTH)],
	["all digits", "1".repeat(LENGTH)],
	["all line feeds", "\n".repeat(LENGTH)],
	["all brackets", "[".repeat(LENGTH)],
	["all keys", "a=".repeat(LENGTH / 2)],
	["all marks", "# meta \n".repeat(LENGTH / 8)],
	["all dashes", "---\n".repeat(LENGTH / 4)],
	["all escapes", "\x1b[".repeat(LENGTH / 2)],
];

/** The same value with every text in it exchanged. */
function withOtherWords(
	value: unknown,
	word: (old: string) => string,
): unknown {
	if (typeof value === "string") return word(value);
	if (Array.isArray(value))
		return value.map((one) => withOtherWords(one, word));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, one]) =>
			// The program's own words, and what it made of clean ones.
			["kind", "shape", "header"].includes(key)
				? [key, one]
				: [key, withOtherWords(one, word)],
		),
	);
}

/** Rows of a list; anything else is one. */
function sizeOf(value: unknown): number {
	return Array.isArray(value) ? value.length : 1;
}
