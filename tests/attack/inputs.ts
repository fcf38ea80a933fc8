/** What a reader may find in its file, or be handed: nearly right, wrong in every way, cut off. */
import fc from "fast-check";
import { jsonObjectOf, NASTY_WORDS, nastyText } from "./nasty.ts";
import type { FoundParser } from "./parsers.ts";

/** Of the kind that the reader takes, with the words of its own source in it. */
export function inputOf(
	parser: Pick<FoundParser, "takes" | "vocabulary">,
): fc.Arbitrary<unknown> {
	const words = [...parser.vocabulary, ...NASTY_WORDS];
	const word = fc.constantFrom(...words);
	const number = fc.oneof(
		fc.integer({ min: 0, max: 2_000_000_000 }),
		fc.constantFrom(0, 1, 10 ** 14, 10 ** 15 - 1),
	);
	const value = fc.oneof(nastyText, word, number.map(String));
	if (parser.takes === "argv")
		return fc.array(fc.oneof(word, nastyText), { maxLength: 8 });
	const json = jsonObjectOf(parser.vocabulary);
	if (parser.takes === "data")
		return json.map((text): unknown => JSON.parse(text));
	const lines = (one: fc.Arbitrary<string>) =>
		fc.array(one, { maxLength: 12 }).map((all) => `${all.join("\n")}\n`);
	const pair = (mark: string) =>
		lines(fc.tuple(word, value).map((two) => two.join(mark)));
	const rows = lines(
		fc
			.array(fc.oneof(word, number.map(String), nastyText), { maxLength: 9 })
			.map((columns) => columns.join("\t")),
	);
	/** Digits in all the right places: most of it is read. */
	const sound = lines(
		fc
			.tuple(
				fc.constantFrom("w1", ...parser.vocabulary),
				number,
				number,
				number,
			)
			.map((columns) => columns.join("\t")),
	);
	const whole = fc.oneof(
		json,
		pair("="),
		pair(": "),
		rows,
		sound,
		nastyText,
		word,
	);
	const torn = fc
		.tuple(whole, fc.nat({ max: 200 }))
		.map(([text, at]) => text.slice(0, at));
	return fc.oneof({ weight: 4, arbitrary: whole }, torn);
}
