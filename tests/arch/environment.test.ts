/** Whoever starts the tests leaves nothing of theirs in them. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { enforce } from "./law.ts";
import { everything, product, type Source } from "./sources.ts";

enforce({
	law: "a test names the environment of what it starts",
	why: "Bun.spawn without `env` hands on the one that bun was started with, CI and GIT_DIR included, not process.env",
	files: everything.filter(({ path }) => path.startsWith("tests/")),
	forbidden: spawnsWithoutEnv,
	breaks: [
		'Bun.spawn(["x"])',
		'Bun.spawnSync(["x", env], { cwd, stdout: "pipe" })',
		'Bun.spawnSync(["x"], {\n\tcwd,\n})',
	],
	allows: [
		'Bun.spawn(["x"], { env: process.env })',
		'Bun.spawnSync(["x"], { cwd, env })',
		'Bun.spawnSync(argv, { env, stdout: "pipe" })',
	],
	except: {
		"tests/arch/doors.test.ts": "examples of a breach",
		"tests/arch/environment.test.ts": "examples of a breach",
	},
});

enforce({
	law: "git is asked in `plainGitEnv`",
	why: "within a git hook GIT_DIR names its repository, and git would answer for that one, whatever folder it is asked in",
	files: product,
	forbidden: ({ code }) =>
		code.includes("plainGitEnv(")
			? []
			: [...code.matchAll(/\["git",/g)].map((match) => match.index),
	breaks: ['proc.exec(["git", "status"], { cwd })'],
	allows: ['proc.exec(["git", "x"], { env: plainGitEnv(proc.env) })'],
});

test("the environment of tests is made before each of their files, by bunfig.toml", () =>
	expect(readFileSync(join(CODE_ROOT, "bunfig.toml"), "utf8")).toContain(
		'preload = ["./tests/support/own-environment.ts"]',
	));

test.each([
	...["CI", "NO_COLOR", "GIT_DIR", "HTTP_PROXY", "TMUX", "CLAUDECODE"],
	...["ANTHROPIC_API_KEY", "NEXUS_ROOT", "BASH_ENV", "NODE_OPTIONS", "LC_ALL"],
])("a test never sees %s", (name) =>
	expect(process.env).not.toHaveProperty([name]),
);

/** Offsets of calls whose options, the last argument, name no `env`. */
function spawnsWithoutEnv({ code }: Source): readonly number[] {
	return [...code.matchAll(/\bBun\.spawn(?:Sync)?\(/g)].flatMap(({ index }) =>
		/\benv\b/.test(optionsOf(code, code.indexOf("(", index))) ? [] : [index],
	);
}

/** What follows the first argument of a call. */
function optionsOf(code: string, open: number): string {
	let depth = 0;
	let comma = code.length;
	for (let i = open; i < code.length; i++) {
		const c = code[i] ?? "";
		if ("([{".includes(c)) depth++;
		if (")]}".includes(c)) depth--;
		if (c === "," && depth === 1) comma = Math.min(comma, i);
		if (depth === 0) return code.slice(comma, i);
	}
	return "";
}
