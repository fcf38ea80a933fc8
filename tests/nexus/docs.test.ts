/** The documents speak of what is there: every path they print exists, every state file stands in its table. */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const CODE_ROOT = resolve(import.meta.dir, "../..");
const read = (path: string) => readFileSync(join(CODE_ROOT, path), "utf8");
const docs = [
	"README.md",
	"CHANGELOG.md",
	...readdirSync(join(CODE_ROOT, "docs")).map((name) => `docs/${name}`),
];
/** Paths of the code, but no patterns; `monitor/.state` and the operator's files are made later. */
const CODE_PATH =
	/(?<![\w./-])(?:monitor|config|bench|tests|docs)\/[\w./-]*\w(?![\w/<*{-])/g;

describe.each(docs)("%s", (doc) => {
	test("names only files that exist", () => {
		const named = read(doc).match(CODE_PATH) ?? [];
		const made =
			/^(monitor\/(\.state|services\.registry$|locals-env\.sh$)|config\/nexus\.(yml|env))/;
		const missing = named.filter(
			(path) => !made.test(path) && !existsSync(join(CODE_ROOT, path)),
		);
		expect(missing).toEqual([]);
	});

	test("links only to files that exist", () => {
		const links = [...read(doc).matchAll(/\]\((?!https?:)([^)#]+)/g)];
		const missing = links
			.map(([, target]) => join(dirname(doc), target!))
			.filter((path) => !existsSync(join(CODE_ROOT, path)));
		expect(missing).toEqual([]);
	});
});

test("docs/state-files.md has every file that a module of _state names", () => {
	const table = read("docs/state-files.md");
	const dir = "monitor/_state";
	const rows = readdirSync(join(CODE_ROOT, dir), {
		encoding: "utf8",
		recursive: true,
	})
		.filter((path) => path.endsWith(".ts"))
		.flatMap((module) => {
			const code = read(`${dir}/${module}`);
			const [, meaning] =
				/^\/\*\*\s*(?:\* )?(.*?)(?: \*\/)?$/m.exec(code) ?? [];
			return [...code.matchAll(/join\(\s*stateDir,\s*"([^"]+)"/g)].map(
				([, name]) => ({ name: name!, row: `| \`${name}\` | ${meaning} |` }),
			);
		});
	expect(rows.length).toBeGreaterThan(30);
	const missing = rows.filter(({ name }) => !table.includes(`\`${name}`));
	expect(missing.map(({ row }) => row)).toEqual([]);
});

test("the README shows the first start with the flag that the gate asks for", () =>
	expect(read("README.md")).toContain("./nexus --i-accept-no-sandbox"));
