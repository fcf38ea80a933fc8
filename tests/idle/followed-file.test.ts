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
import { followFile } from "../../monitor/_state/followed-file.ts";
import { realFiles } from "../../monitor/_sys/files.ts";

const dir = mkdtempSync(join(tmpdir(), "nexus-followed-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const PATH = join(dir, "a.log");
const files = realFiles();
/** One row a line; a torn line is a row too. */
const parse = (text: string) => text.split("\n").filter((line) => line !== "");

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
			const follow = followFile(parse, 1024 * 1024);
			for (const [name, text] of changes) {
				CHANGES[name](text);
				second += 1;
				if (existsSync(PATH)) utimesSync(PATH, second, second);
				const whole = files.read(PATH);
				const found = follow(files, PATH);
				expect(found.kind).toBe(whole.kind);
				if (found.kind !== "ok" || whole.kind !== "ok") continue;
				expect(found.rows).toEqual(parse(whole.text));
				expect(found.isBlank).toBe(/^\0*$/.test(whole.text));
			}
		}),
		{ numRuns: 300 },
	);
});

describe("of a file that grows", () => {
	const counted = () => {
		const seen: string[] = [];
		const follow = followFile((text) => {
			seen.push(text);
			return parse(text);
		}, 1024 * 1024);
		return { seen, look: () => follow(files, PATH) };
	};

	test("only what was appended is parsed, and nothing where nothing was", () => {
		writeFileSync(PATH, "one\ntwo\n");
		const { seen, look } = counted();
		look();
		look();
		appendFileSync(PATH, "three\nfo");
		look();
		appendFileSync(PATH, "ur\n");
		expect(look()).toMatchObject({ rows: ["one", "two", "three", "four"] });
		expect(seen).toEqual(["one\ntwo\n", "fo", "three\n", "four\n"]);
	});

	test("and is rotated, its rotation is known again", () => {
		writeFileSync(PATH, "one\n");
		const seen: string[] = [];
		const follow = followFile((text) => {
			seen.push(text);
			return parse(text);
		}, 1024);
		follow(files, PATH);
		renameSync(PATH, `${PATH}.1`);
		writeFileSync(PATH, "two\n");
		expect(follow(files, PATH)).toMatchObject({ rows: ["two"] });
		expect(follow(files, `${PATH}.1`)).toMatchObject({ rows: ["one"] });
		expect(seen).toEqual(["one\n", "two\n"]);
	});
});

test("one that must be read whole and is too large cannot be looked at", () => {
	writeFileSync(PATH, "12345\n");
	expect(followFile(parse, 5)(files, PATH).kind).toBe("unreadable");
});
