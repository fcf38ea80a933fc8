import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	decideEmit,
	type EmitInputs,
} from "../../monitor/_emit/emit-decision.ts";

const NOTHING: EmitInputs = {
	localDiff: "",
	diffSignal: false,
	noiseSummary: "",
	fullStateDue: false,
	gh: "",
	bells: [],
	idle: "",
	decisions: "",
	requests: "",
	ccUpdate: "",
	drift: "",
	serviceHealth: "",
	reportsRoll: "",
};
const BELLS = [{ index: 4, name: "w" }];
const decide = (part: Partial<EmitInputs>) =>
	decideEmit({ ...NOTHING, ...part });

describe("whether there is an emit", () => {
	const triggers: Partial<EmitInputs>[] = [
		{ gh: "x" },
		{ bells: BELLS },
		{ idle: "x" },
		{ decisions: "x" },
		{ requests: "x" },
		{ ccUpdate: "x" },
		{ drift: "x" },
		{ serviceHealth: "x" },
		{ reportsRoll: "x" },
		{ fullStateDue: true },
		{ localDiff: "d", diffSignal: true },
	];
	test.each(triggers.map((t) => [Object.keys(t)[0], t] as const))(
		"%s alone emits",
		(_name, part) => {
			expect(decide(part).emit).toBe(true);
		},
	);

	test("nothing to say says nothing", () => {
		expect(decide({})).toMatchObject({ emit: false, advanceBaseline: false });
		expect(decide({}).logSuppressed).toBeUndefined();
	});

	test("a diff of pure noise is suppressed, logged, and still advances the baseline", () => {
		const noise = { localDiff: "d", noiseSummary: "1 git-section update(s)" };
		expect(decide(noise)).toMatchObject({
			emit: false,
			advanceBaseline: true,
			logSuppressed: "suppressed emit: 1 git-section update(s)",
		});
		expect(decide({ localDiff: "d" }).logSuppressed).toBe(
			"suppressed emit: noise-only",
		);
	});
});

describe("reason and archive tag", () => {
	const rows: [string, Partial<EmitInputs>, string, string | undefined][] = [
		["a local change", { localDiff: "d", diffSignal: true }, "poll", undefined],
		["bells", { bells: BELLS }, "poll", undefined],
		[
			"a comment and a local change",
			{ localDiff: "d", gh: "x" },
			"poll",
			undefined,
		],
		[
			"full-state alone",
			{ fullStateDue: true },
			"poll-full-state",
			"full-state",
		],
		[
			"full-state with a decision",
			{ fullStateDue: true, decisions: "x" },
			"poll-full-state",
			"full-state",
		],
		[
			"full-state with a request",
			{ fullStateDue: true, requests: "x" },
			"poll-full-state",
			"full-state",
		],
		[
			"full-state with a comment",
			{ fullStateDue: true, gh: "x" },
			"poll-resurface",
			"resurface",
		],
		[
			"full-state with an idle row",
			{ fullStateDue: true, idle: "x" },
			"poll-resurface",
			"resurface",
		],
		[
			"full-state with a local change",
			{ fullStateDue: true, localDiff: "d" },
			"poll",
			undefined,
		],
		["a comment", { gh: "x" }, "poll-resurface", "resurface"],
		["an idle row", { idle: "x" }, "poll-resurface", "resurface"],
		["a decision", { decisions: "x" }, "poll-resurface", "resurface"],
		["an update", { ccUpdate: "x" }, "poll-cc-update", "cc-update"],
		[
			"an update and service health",
			{ ccUpdate: "x", serviceHealth: "x" },
			"poll-cc-update",
			"cc-update",
		],
		[
			"an update and drift",
			{ ccUpdate: "x", drift: "x" },
			"poll-resurface",
			"resurface",
		],
		["drift", { drift: "x" }, "poll-component-drift", "component-drift"],
		[
			"drift and service health",
			{ drift: "x", serviceHealth: "x" },
			"poll-component-drift",
			"component-drift",
		],
		[
			"service health",
			{ serviceHealth: "x" },
			"poll-service-health",
			"service-health",
		],
		[
			"service health and a decision",
			{ serviceHealth: "x", decisions: "x" },
			"poll-resurface",
			"resurface",
		],
		[
			"service health and a request",
			{ serviceHealth: "x", requests: "x" },
			"poll-service-health",
			"service-health",
		],
		["a request", { requests: "x" }, "poll-requests", "requests"],
		[
			"a request and a decision",
			{ requests: "x", decisions: "x" },
			"poll-resurface",
			"resurface",
		],
		[
			"a request and archived reports",
			{ requests: "x", reportsRoll: "x" },
			"poll-requests",
			"requests",
		],
		[
			"archived reports",
			{ reportsRoll: "x" },
			"poll-reports-roll",
			"reports-roll",
		],
		[
			"archived reports and a bell",
			{ reportsRoll: "x", bells: BELLS },
			"poll",
			undefined,
		],
	];
	test.each(rows)("%s", (_name, part, reason, tag) => {
		const decision = decide(part);
		expect(decision.reason as string).toBe(reason);
		expect(decision.tag).toBe(tag);
	});
});

const word = fc.constantFrom("", "x");
const inputs: fc.Arbitrary<EmitInputs> = fc.record({
	localDiff: word,
	diffSignal: fc.boolean(),
	noiseSummary: word,
	fullStateDue: fc.boolean(),
	gh: word,
	bells: fc.constantFrom([], BELLS),
	idle: word,
	decisions: word,
	requests: word,
	ccUpdate: word,
	drift: word,
	serviceHealth: word,
	reportsRoll: word,
});

test("the baseline advances exactly when this poll changed local state, and only a due full-state skips the duplicate gate", () => {
	fc.assert(
		fc.property(inputs, (i) => {
			const decision = decideEmit(i);
			expect(decision.advanceBaseline).toBe(
				i.localDiff !== "" || i.bells.length > 0,
			);
			expect(decision.skipDedup).toBe(i.fullStateDue);
		}),
	);
});

/** What each of them must be alone of, by the table of the contract. */
const ALONE_OF: readonly (readonly [
	reason: string,
	input: keyof EmitInputs,
	others: readonly (keyof EmitInputs)[],
])[] = [
	["poll-cc-update", "ccUpdate", ["decisions", "drift"]],
	["poll-component-drift", "drift", ["decisions", "ccUpdate"]],
	["poll-service-health", "serviceHealth", ["decisions", "ccUpdate", "drift"]],
	[
		"poll-requests",
		"requests",
		["decisions", "ccUpdate", "drift", "serviceHealth"],
	],
	[
		"poll-reports-roll",
		"reportsRoll",
		["decisions", "ccUpdate", "drift", "serviceHealth", "requests"],
	],
];
const ALWAYS_OTHERS = [
	...["localDiff", "gh", "bells", "idle", "fullStateDue"],
] as readonly (keyof EmitInputs)[];
const present = (input: keyof EmitInputs): Partial<EmitInputs> => ({
	[input]: input === "bells" ? BELLS : input === "fullStateDue" ? true : "x",
});

test.each(
	ALONE_OF.flatMap(([reason, input, others]) =>
		[...ALWAYS_OTHERS, ...others].map(
			(other) => [reason, input, other] as const,
		),
	),
)("%s is the reason of %s, and not beside %s", (reason, input, other) => {
	expect(decide(present(input)).reason).toBe(reason as never);
	const both = { ...present(input), ...present(other) };
	expect(decide(both).reason).not.toBe(reason as never);
});
