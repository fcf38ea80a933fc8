/** Which package may be imported where (architecture, "Dependencies"). */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { importsOf } from "./imports.ts";
import { enforce } from "./law.ts";
import { everything, product } from "./sources.ts";

/** Package: the paths that may import it. */
const HOMES: Readonly<Record<string, RegExp>> = {
	zod: /^config\//,
	yaml: /^config\//,
	minimist: /^monitor\/_sys\/cli\.ts$/,
	"@octokit/": /^monitor\/_github\/client\.ts$/,
	"universal-github-app-jwt": /^monitor\/_github\/app-key\.ts$/,
};

enforce({
	law: "a package is imported only where it is at home",
	why: "a hook starts in milliseconds, and a heavy package must not follow a light one in",
	files: product,
	forbidden: (source) =>
		importsOf(source)
			.filter(({ path, specifier }) => {
				if (path !== null || /^(node|bun):/.test(specifier)) return false;
				if (specifier === "bun") return false;
				const home = Object.entries(HOMES).find(([name]) =>
					name.endsWith("/") ? specifier.startsWith(name) : specifier === name,
				);
				return home === undefined || !home[1].test(source.path);
			})
			.map((i) => i.offset),
});

test("what is imported at run time is a dependency, not a dev dependency", () => {
	const manifest: { readonly dependencies: Record<string, string> } =
		JSON.parse(readFileSync(join(CODE_ROOT, "package.json"), "utf8"));
	const imported = new Set(
		product.flatMap((source) =>
			importsOf(source)
				.filter((i) => i.path === null && !/^(node:|bun\b)/.test(i.specifier))
				.map((i) => i.specifier.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? ""),
		),
	);
	expect(
		[...imported].filter((name) => !(name in manifest.dependencies)),
	).toEqual([]);
});

enforce({
	law: "no test imports the product's faces",
	why: "a face runs when it is imported",
	files: everything.filter(({ path }) => path.startsWith("tests/")),
	forbidden: (source) =>
		importsOf(source)
			.filter(({ path }) => path !== null && isFace(path))
			.map((i) => i.offset),
});

function isFace(path: string): boolean {
	return product.some(
		(source) =>
			source.path === path &&
			source.text.startsWith("#!") &&
			!source.code.includes("import.meta.main"),
	);
}
