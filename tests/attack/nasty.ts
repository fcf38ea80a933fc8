/** What an attacker, a torn disk or a broken program puts where a text or a value is expected. */
import fc from "fast-check";

/** Words that mean something to some reader: a shell, a terminal, a parser, JavaScript itself. */
export const NASTY_WORDS: readonly string[] = [
	...["", " ", "\t", "\n", "\r\n", "\0", "\x7f", "\x9b", "\u2028", "\ufeff"],
	...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"],
	...["--", "-", "-h", "--x=", ";", "; rm -rf /", "$(id)", "`id`", "|", "&&"],
	...["..", "../..", "/etc/passwd", "a/../../b", "%2e%2e%2f", "C:\\", "~"],
	...[
		"\x1b[201~",
		"\x1b]52;c;eA==\x07",
		"\x1b[2J",
		"\u202e",
		"\u200b",
		"\ud83d",
	],
	...["=", ": ", "key=value", "# meta ", "--- requests ---", "body: ", "```"],
	...[
		"0",
		"-0",
		"-1",
		"1e999",
		"NaN",
		"Infinity",
		"9".repeat(15),
		"9".repeat(40),
	],
	...["null", "true", "{}", "[]", '{"a":1}', '{"__proto__":{"x":1}}'],
	...["1970-01-01T00:00:00Z", "+275760-09-13T00:00:00.001Z", "0000-00-00"],
	...["@1", "%1", "session:@1.%1", "İ", "ﬀ", "K", "é", "日本", "👩‍👩‍👧"],
];

/** A text of any bytes, or of nasty words. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
	fc.string({ unit: "binary", maxLength: 60 }),
	fc.constantFrom(...NASTY_WORDS),
	fc
		.array(fc.constantFrom(...NASTY_WORDS), { maxLength: 6 })
		.map((words) => words.join("")),
);

/** Any JSON, with keys that an object has without being given them. Built as text, so that `__proto__` is a key of its own. */
export const nastyJson: fc.Arbitrary<string> = jsonWith(nastyText);

/** JSON objects under the given keys: what reads them finds values of every type there. */
export function jsonObjectOf(keys: readonly string[]): fc.Arbitrary<string> {
	return jsonWith(fc.oneof(fc.constantFrom("__proto__", ...keys), nastyText), {
		depth: 3,
	});
}

function jsonWith(
	key: fc.Arbitrary<string>,
	{ depth = 3 } = {},
): fc.Arbitrary<string> {
	const { value } = fc.letrec<{ value: string }>((tie) => ({
		value: fc.oneof(
			{ maxDepth: depth, depthSize: "small" },
			nastyText.map((text) => JSON.stringify(text)),
			fc.constantFrom("null", "true", "false", "0", "-1", "1e308", "1.5"),
			fc.integer({ min: 0, max: 2_000_000_000 }).map(String),
			fc
				.array(tie("value"), { maxLength: 4 })
				.map((all) => `[${all.join(",")}]`),
			objectOf(key, tie("value")),
		),
	}));
	return fc.oneof(objectOf(key, value), value);
}

function objectOf(
	key: fc.Arbitrary<string>,
	value: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
	return fc
		.array(fc.tuple(key, value), { maxLength: 8 })
		.map(
			(rows) =>
				`{${rows.map(([k, v]) => `${JSON.stringify(k)}:${v}`).join(",")}}`,
		);
}
