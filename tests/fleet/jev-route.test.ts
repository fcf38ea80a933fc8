/** From a classifier's answer to what happens (contract 09 §13). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	CLASSES,
	routeDecision,
	validDistribution,
} from "../../monitor/_fleet/jev/route.ts";
import { answer, ORDINARY } from "./jev-answers.ts";

describe("the route of an answer", () => {
	const route = (said: Parameters<typeof routeDecision>[1], meta = {}) => {
		const d = routeDecision({ agent: "a" }, said, { captureRc: 0, ...meta });
		return [d.status, d.route, d.reason];
	};
	const open = (reason: string) => ["fail_open", "notify_watcher", reason];

	test.each([
		[
			"sure and ordinary",
			ORDINARY,
			["ok", "archive_only", "confident_ordinary"],
		],
		[
			"0.80 is sure",
			answer("ordinary", 0.8),
			["ok", "archive_only", "confident_ordinary"],
		],
		[
			"0.20 of another class is little enough",
			{
				choice: "ordinary",
				confidence: 0.8,
				probabilities: {
					ordinary: 0.8,
					active_permission_prompt: 0.2,
					blocking_user_question_tui: 0,
					failed_or_ambiguous_capture: 0,
				},
			},
			["ok", "archive_only", "confident_ordinary"],
		],
		["0.79 is not", answer("ordinary", 0.79), open("ordinary_low_confidence")],
		[
			"ordinary, but another class has more than 0.2",
			{
				choice: "ordinary",
				confidence: 0.8,
				probabilities: {
					ordinary: 0.8,
					active_permission_prompt: 0.21,
					blocking_user_question_tui: 0,
					failed_or_ambiguous_capture: 0,
				},
			},
			open("ordinary_low_confidence"),
		],
		[
			"a prompt, barely",
			answer("active_permission_prompt", 0.4),
			["ok", "notify_watcher", "active_permission_prompt"],
		],
		[
			"a question",
			answer("blocking_user_question_tui", 0.9),
			["ok", "notify_watcher", "blocking_user_question_tui"],
		],
		[
			"no readable pane",
			answer("failed_or_ambiguous_capture", 0.9),
			["ok", "notify_watcher", "failed_or_ambiguous_capture"],
		],
		["no answer", null, open("invalid_or_missing_class")],
		[
			"an unknown class",
			{ ...ORDINARY, choice: "fine" },
			open("invalid_or_missing_class"),
		],
		[
			"a class without a probability",
			{ ...ORDINARY, probabilities: { ordinary: 0.85 } },
			open("missing_class_probability"),
		],
		[
			"no probabilities",
			{ ...ORDINARY, probabilities: "high" },
			open("missing_class_probability"),
		],
		[
			"a confidence of its own",
			{ ...ORDINARY, confidence: 0.99 },
			open("invalid_probability_distribution"),
		],
		[
			"no confidence",
			{ ...ORDINARY, confidence: "0.85" },
			open("invalid_probability_distribution"),
		],
		[
			"a class that is not the largest",
			{
				...answer("active_permission_prompt", 0.6),
				choice: "ordinary",
				confidence: 0.13,
			},
			open("invalid_probability_distribution"),
		],
		[
			"more than all",
			answer("ordinary", 1, 0.1),
			open("invalid_probability_distribution"),
		],
	] as const)("%s", (_, said, expected) =>
		expect(route(said)).toEqual([...expected]),
	);

	test("a failed capture and a failed provider win over any answer", () => {
		expect(route(ORDINARY, { captureRc: 1 })).toEqual(
			open("capture_rc_nonzero"),
		);
		expect(route(ORDINARY, { error: "api_error" })).toEqual(open("api_error"));
		const both = { error: "api_error", captureRc: 1 };
		expect(route(ORDINARY, both)).toEqual(open("api_error"));
	});

	test.each([
		["a failed capture", null, { captureRc: 1 }, "capture_rc_nonzero"],
		[
			"no class",
			{ choice: "fine", confidence: 9, probabilities: {} },
			{},
			"invalid_or_missing_class",
		],
		[
			"no probability",
			{ choice: "ordinary", confidence: 9, probabilities: {} },
			{},
			"missing_class_probability",
		],
		[
			"figures that do not add up, of a class that wakes",
			{ ...answer("active_permission_prompt", 0.9), confidence: 0.2 },
			{},
			"invalid_probability_distribution",
		],
	])("%s is the reason, whatever else is wrong", (_, said, meta, reason) =>
		expect(route(said, meta)).toEqual(open(reason)),
	);

	test("whatever comes back, only a sure and ordinary answer keeps quiet", () =>
		fc.assert(
			fc.property(
				fc.record({
					choice: fc.oneof(fc.constantFrom<unknown>(...CLASSES), fc.anything()),
					confidence: fc.oneof(fc.double(), fc.anything()),
					probabilities: fc.oneof(
						fc.dictionary(fc.constantFrom(...CLASSES), fc.double()),
						fc.anything(),
					),
				}),
				(said) => {
					const d = routeDecision({ agent: "a" }, said, { captureRc: 0 });
					if (d.route !== "archive_only") return;
					expect(said.choice).toBe("ordinary");
					expect(d.confidence).toBeGreaterThanOrEqual(0.8);
				},
			),
		));

	test.each([
		[Number.NaN, false],
		[1.2, false],
		[-0.1, false],
		[0.9, true],
	])("a distribution of which one value is %p is valid: %p", (value, is) => {
		const { probabilities } = answer("ordinary", value, 0.03);
		expect(validDistribution("ordinary", 0.9, probabilities)).toBe(is);
	});
});
