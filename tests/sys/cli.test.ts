import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type CliSpec, parseCli } from "../../monitor/_sys/cli.ts";
import { excerpt } from "../../monitor/_sys/excerpt.ts";

const SPEC: CliSpec = {
	flags: {
		"--target": "value",
		"--note": "text",
		"--extra": "list",
		"--once": "switch",
		"--no-enter": "switch",
	},
	aliases: { "-1": "--once" },
	maxPositionals: 2,
};

/** What a command line says, as plain data. */
function read(...argv: string[]) {
	const cli = parseCli(argv, SPEC);
	if (cli.kind !== "ok") return cli;
	const { positionals } = cli;
	return {
		positionals,
		target: cli.value("--target"),
		note: cli.value("--note"),
		extra: cli.list("--extra"),
		once: cli.on("--once"),
		noEnter: cli.on("--no-enter"),
	};
}

test.each([
	[[], { positionals: [], target: undefined, extra: [], once: false }],
	[["a", "--target", "t", "b"], { positionals: ["a", "b"], target: "t" }],
	[["--target=t", "a"], { positionals: ["a"], target: "t" }],
	[["--target=a=b"], { target: "a=b" }],
	[["--target", "a", "--target", "b"], { target: "b" }],
	[["--extra", "k=1", "--extra=l=2"], { extra: ["k=1", "l=2"] }],
	[["--note", ""], { note: "" }],
	[["--note="], { note: "" }],
	[["--note", "-h"], { note: "-h" }],
	[["--note", "--help"], { note: "--help" }],
	[["--target", "--once"], { target: "--once", once: false }],
	[["--once", "x"], { once: true, positionals: ["x"] }],
	[["-1"], { once: true }],
	[["--no-enter"], { noEnter: true }],
	[["--", "--once", "-x"], { positionals: ["--once", "-x"], once: false }],
	[["-"], { positionals: ["-"] }],
	[["007", "1e3"], { positionals: ["007", "1e3"] }],
	[["--note", "0x10"], { note: "0x10" }],
	[["--note", "true"], { note: "true" }],
	[["--note", "a\nb"], { note: "a\nb" }],
] as const)("%j is read", (argv, expected) => {
	expect(read(...argv)).toMatchObject(expected);
});

test.each([
	[["--targ", "x"], 1, "unknown flag: --targ"],
	[["--constructor"], 1, "unknown flag: --constructor"],
	[["--__proto__=1"], 1, "unknown flag: --__proto__"],
	[["-x"], 1, "unknown flag: -x"],
	[["--once=1"], 1, "--once takes no value"],
	[["--target"], 64, "--target needs a value"],
	[["a", "--target"], 64, "--target needs a value"],
	[["--target", ""], 64, "--target needs a value"],
	[["--target="], 64, "--target needs a value"],
	[["--note"], 64, "--note needs a value"],
	[["--extra", ""], 64, "--extra needs a value"],
	[["a", "b", "c"], 1, "unexpected argument 'c'"],
	[["--", "a", "b", "-c"], 1, "unexpected argument '-c'"],
] as const)("%j is refused", (argv, rc, message) => {
	const cli = read(...argv);
	expect(cli).toMatchObject({ kind: "refused", rc });
	expect("message" in cli && cli.message).toContain(message);
});

test("an unknown flag is named apart from other mistakes", () => {
	expect(read("--targ=x")).toMatchObject({ unknownFlag: "--targ" });
	expect(read("--once=1")).not.toHaveProperty("unknownFlag");
});

test.each([
	[["-h"]],
	[["--help"]],
	[["a", "--help"]],
	[["--once", "-h", "--nonsense"]],
])("%j asks for help, whatever else is there", (argv) => {
	expect(read(...argv)).toEqual({ kind: "help" });
});

test("a refusal tells where positionals and flags belong, in one line", () => {
	const cli = parseCli(["a\nb"], { flags: {} });
	expect(cli.kind === "refused" && cli.message).toBe(
		"unexpected argument 'a (+1 more line(s))': flags start with --, and positionals bind in order",
	);
});

test("no command line makes it loop, throw or lose a value", () => {
	const word = fc.oneof(
		fc.constantFrom(...Object.keys(SPEC.flags), "--", "-", "", "-1"),
		fc.string(),
	);
	fc.assert(
		fc.property(fc.array(word), fc.string({ minLength: 1 }), (argv, value) => {
			parseCli(argv, SPEC);
			expect(read("--target", value)).toMatchObject({ target: value });
		}),
	);
});

describe("an excerpt", () => {
	test.each([
		["plain", "plain"],
		["", ""],
		["one\ntwo\nthree", "one (+2 more line(s))"],
		["one\r\ntwo", "one (+1 more line(s))"],
		["x".repeat(72), "x".repeat(72)],
		["x".repeat(73), `${"x".repeat(72)}…`],
		["é".repeat(72), `${"é".repeat(48)}…`],
		["😀".repeat(30), `${"😀".repeat(24)}…`],
		[`${"a".repeat(94)}é`, `${"a".repeat(72)}…`],
		["a\x1b[31mb", "a?[31mb"],
		[`${"x".repeat(80)}\nmore`, `${"x".repeat(72)}… (+1 more line(s))`],
	])("of %j is %j", (argument, shown) => {
		expect(excerpt(argument)).toBe(shown);
	});

	test("is one line of at most 72 characters and 96 bytes, and a whole piece of the argument", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme", maxLength: 120 }), (text) => {
				const shown = excerpt(text).replace(/ \(\+\d+ more line\(s\)\)$/, "");
				const piece = shown.replace(/…$/, "");
				expect([...piece].length).toBeLessThanOrEqual(72);
				expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(96);
				expect(shown).not.toMatch(/[\n\r\x1b]/);
				expect(piece.isWellFormed()).toBe(text.isWellFormed());
			}),
		);
	});
});
