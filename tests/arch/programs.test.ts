/** What we print and what we start exists, under the name that is printed. */
import { describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
	BUN_FLAGS,
	CODE_ROOT,
	HOOKS,
	PROGRAMS,
	SHEBANG,
} from "../../monitor/_sys/names.ts";
import { enforce } from "./law.ts";
import { everything, product } from "./sources.ts";

describe.each([...Object.values(PROGRAMS), ...HOOKS])("%s", (program) => {
	const path = join(CODE_ROOT, program);

	test("is there and can be executed", () => {
		const { mode } = statSync(path);
		expect((mode & 0o111).toString(8)).toBe("111");
	});

	test("starts bun with the flags that keep the caller's folder out", () => {
		const text = readFileSync(path, "utf8");
		const [shebang] = text.split("\n", 1);
		if (program.endsWith(".ts")) {
			expect(shebang).toBe(SHEBANG);
			return;
		}
		// The shell finds bun, which need not be on the caller's PATH.
		expect(shebang).toBe("#!/bin/sh");
		expect(text).toContain(BUN_FLAGS.join(" "));
	});
});

test("every executable of ours is a program of the table", () => {
	const executable = product
		.filter(({ text }) => text.startsWith("#!"))
		.map(({ path }) => path);
	const known: readonly string[] = [...Object.values(PROGRAMS), ...HOOKS];
	// Run by the developer, or by the shell program of the same name; printed nowhere.
	const unlisted = ["config/generate.ts", "monitor/nexus.ts", "monitor/ng.ts"];
	expect(
		executable.filter((p) => ![...known, ...unlisted].includes(p)),
	).toEqual([]);
});

enforce({
	law: "every start of bun carries the flags",
	why: "without them bun reads .env and bunfig.toml of the caller's folder, a worker's repository",
	files: product.filter(({ path }) => path !== "monitor/_sys/names.ts"),
	forbidden:
		/\[\s*(?:(?:[\w.]+\.)?execPath|["'`]bun["'`])\s*,(?!\s*\.\.\.BUN_FLAGS)/,
});

enforce({
	law: "names of programs are printed from names.ts",
	why: "a message and the file it names must not drift apart",
	files: product.filter(({ path }) => path !== "monitor/_sys/names.ts"),
	forbidden: new RegExp(
		`["'\`][^"'\`\\n]*(?<![\\w./-])(?:${Object.values(PROGRAMS)
			.filter((name) => name.includes("/"))
			.map((name) => name.replaceAll(".", "\\."))
			.join("|")})(?![\\w-])`,
	),
});

enforce({
	law: "bun's folder on a PATH holds a program of that name",
	why: "what runs a test may be called bun.exe and lie in a folder of its own: BUN_DIR of tests/support has a bun",
	files: everything.filter(({ path }) => !product.some((p) => p.path === path)),
	forbidden: /dirname\([\w.]*execPath\)|join\([\w.]*execPath, "\.\."\)/,
});

enforce({
	law: "tests and benches start no program that a bare Debian lacks and nobody installs",
	why: "`./nexus test` is one of the two commands of a newcomer, in a container with nothing but Node.js, npm and apt",
	files: everything.filter(({ path }) => !path.startsWith("tests/arch/")),
	forbidden:
		/\[\s*"(?:ps|pgrep|pkill|curl|wget|lsof|ss|nc|netstat|python3?|less|xxd)",\s*"-/,
	breaks: ['Bun.spawnSync(["ps", "-eo", "pid="], { env: process.env })'],
	allows: ['requestChannel(["file", "--origin", "a"])'],
});
