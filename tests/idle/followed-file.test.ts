/** What is followed of a growing file, against a look at the whole of it; on a real disk, where a torn line is one. */
import { afterAll, describe, expect, test } from "bun:test";
import {
	appendFileSync,
	existsSync,
	mkdtempSync,
	renameSync,
	rmSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
	type Bound,
	followFile,
	rowsBy,
} from "../../monitor/_state/followed-file.ts";
import { realFiles } from "../../monitor/_sys/files.ts";

const dir = mkdtempSync(join(tmpdir(), "nexus-followed-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const PATH = join(dir, "a.log");
const files = realFiles();
/** One row a line; a torn line is a row too. */
const parse = (text: string) => text.split("\n").filter((line) => line !== "");

const atMost = (bytes: number): Bound => ({ kind: "atMost", bytes });

const CHANGES = {
	append: (text: string) => appendFileSync(PATH, `${text}\n`),
	tear: (text: string) => appendFileSync(PATH, text),
	garble: () => appendFileSync(PATH, Buffer.from([0xc3, 0x28, 0x0a])),
	overwrite: (text: string) => writeFileSync(PATH, text),
	replace: (text: string) => {
		writeFileSync(`${PATH}.new`, text);
		renameSync(`${PATH}.new`, PATH);
	},
	empty: () => existsSync(PATH) && truncateSync(PATH),
	remove: () => rmSync(PATH, { force: true }),
	rotate: () => existsSync(PATH) && renameSync(PATH, `${PATH}.1`),
} as const;
type Change = readonly [name: keyof typeof CHANGES, text: string];

const change: fc.Arbitrary<Change> = fc.tuple(
	fc.oneof(
		{ weight: 8, arbitrary: fc.constant("append" as const) },
		{ weight: 4, arbitrary: fc.constant("tear" as const) },
		fc.constantFrom(
			...(["garble", "overwrite", "replace", "empty"] as const),
			...(["remove", "rotate"] as const),
		),
	),
	fc.oneof(
		fc.constantFrom("a", "b\nb", "\n"),
		fc.string({ unit: "binary", maxLength: 6 }),
	),
);

test("whatever becomes of a file, what is followed is what a look at the whole of it finds", () => {
	let second = 1_800_000_000;
	fc.assert(
		fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
			rmSync(PATH, { force: true });
			const follow = followFile(rowsBy(parse), atMost(1024 * 1024));
			for (const [name, text] of changes) {
				CHANGES[name](text);
				second += 1;
				if (existsSync(PATH)) utimesSync(PATH, second, second);
				const whole = files.read(PATH);
				const found = follow(files, PATH);
				expect(found.kind).toBe(whole.kind);
				if (found.kind !== "ok" || whole.kind !== "ok") continue;
				expect(found.value).toEqual(parse(whole.text));
				expect(found.isBlank).toBe(/^\0*$/.test(whole.text));
			}
		}),
		{ numRuns: 300 },
	);
});

describe("of a file that grows", () => {
	const counted = () => {
		const seen: string[] = [];
		const reading = rowsBy((text) => {
			seen.push(text);
			return parse(text);
		});
		const follow = followFile(reading, atMost(1024));
		return { seen, follow, look: () => follow(files, PATH) };
	};

	test("only what was appended is parsed, and nothing where nothing was", () => {
		writeFileSync(PATH, "one\ntwo\n");
		const { seen, look } = counted();
		look();
		look();
		appendFileSync(PATH, "three\nfo");
		look();
		appendFileSync(PATH, "ur\n");
		expect(look()).toMatchObject({ value: ["one", "two", "three", "four"] });
		expect(seen).toEqual(["one\ntwo\n", "three\n", "fo", "four\n"]);
	});

	test("and is rotated, its rotation is known again", () => {
		writeFileSync(PATH, "one\n");
		const { seen, follow, look } = counted();
		look();
		renameSync(PATH, `${PATH}.1`);
		writeFileSync(PATH, "two\n");
		expect(follow(files, PATH)).toMatchObject({ value: ["two"] });
		expect(follow(files, `${PATH}.1`)).toMatchObject({ value: ["one"] });
		expect(seen).toEqual(["one\n", "two\n"]);
	});
});

test("one that must be read whole and is too large cannot be looked at", () => {
	writeFileSync(PATH, "12345\n");
	expect(followFile(rowsBy(parse), atMost(5))(files, PATH).kind).toBe(
		"unreadable",
	);
});

describe("of one whose end is enough", () => {
	const followEnd = (bytes: number) => {
		const follow = followFile(rowsBy(parse), { kind: "last", bytes });
		return () => follow(files, PATH);
	};

	test("whole lines are read from its end, and from then on what is appended", () => {
		writeFileSync(PATH, "one\ntwo\nthree\n");
		const look = followEnd(8);
		expect(look()).toMatchObject({ value: ["three"] });
		appendFileSync(PATH, "four\n");
		expect(look()).toMatchObject({ value: ["three", "four"] });
	});

	test("and its end again, when more was appended than would be read at first", () => {
		writeFileSync(PATH, "one\ntwo\nthree\n");
		const look = followEnd(8);
		look();
		appendFileSync(PATH, "four\nfive\nsix\n");
		expect(look()).toMatchObject({ value: ["six"] });
	});

	test("a cut inside a character or a line that is longer costs that line alone", () => {
		writeFileSync(PATH, `${"ä".repeat(9)}\nb\n`);
		expect(followEnd(5)()).toMatchObject({ value: ["b"] });
		writeFileSync(PATH, `b\n${"ä".repeat(9)}`);
		const look = followEnd(6);
		look();
		appendFileSync(PATH, "\nc\n");
		expect(look()).toMatchObject({ value: ["c"] });
	});
});
