/** What is known of the programs that agents run (contract 09 §6.4). */
import { describe, expect, test } from "bun:test";
import { CONFIG_KEYS, RUNTIMES_KEY } from "../../config/schema.ts";
import {
	isCompactCommand,
	isRuntimeName,
	RUNTIMES,
	runtimeCommand,
} from "../../monitor/_fleet/runtimes.ts";

const commands = CONFIG_KEYS[RUNTIMES_KEY].default ?? {};

test.each([
	["claude", "claude --model 'm' --effort 'low'", "/compact"],
	["codex", "codex --model 'm' -c model_reasoning_effort='low'", "/compact"],
	["opencode", "opencode --model 'm'", "/compact"],
	["cursor", "agent --model 'm'", "/summarize"],
])("%s is started with %s and compacted with %p", (name, line, compact) => {
	const pin = { model: "m", effort: "low" };
	expect(runtimeCommand(commands[name] ?? "", pin)).toBe(line);
	expect(RUNTIMES[name]?.compact).toBe(compact);
});

test("others are known by name, and have no command until somebody gives them one", () => {
	const others = ["auggie", "kiro-cli", "gemini", "amp"];
	const known = [...Object.keys(commands), ...others];
	expect(Object.keys(RUNTIMES).sort()).toEqual(known.sort());
	for (const name of others) expect(RUNTIMES[name]?.compact).toBeNull();
});

test("values of a pin are quoted, whatever they hold", () => {
	const pin = { model: "$& it's $(id)", effort: "x y" };
	expect(runtimeCommand("p {model} {effort}", pin)).toBe(
		`p '$& it'\\''s $(id)' 'x y'`,
	);
});

describe("a compact command", () => {
	test.each([
		["/compact", true],
		["/summarize", true],
		["/compact now", false],
		[" /compact", false],
		["", false],
	])("%j: %p", (text, is) => expect(isCompactCommand(text)).toBe(is));
});

test.each([
	["my_rt-2", true],
	["A", true],
	["", false],
	["a b", false],
	["a/b", false],
])("the name %j may stand for one: %p", (name, may) =>
	expect(isRuntimeName(name)).toBe(may),
);
