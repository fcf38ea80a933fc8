/** Doors that are a few lines each: the bell, claude's place, the source hash, random numbers. */
import { describe, expect, test } from "bun:test";
import { alarm, bell } from "../../monitor/_sys/bell.ts";
import { resolveClaudeBin } from "../../monitor/_sys/claude-bin.ts";
import { realFiles } from "../../monitor/_sys/files.ts";
import { CODE_ROOT, programPath } from "../../monitor/_sys/names.ts";
import {
	rememberedSources,
	sourceHash,
} from "../../monitor/_sys/source-hash.ts";
import { userHome } from "../../monitor/_sys/user-home.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { HANG } from "../fakes/proc.ts";

describe("the bell", () => {
	test("runs sandbox-notify with the text as one argument", async () => {
		const { proc } = fakeDoors();
		proc.programs.set("sandbox-notify", "/bin/sandbox-notify");
		proc.answer("sandbox-notify", 0);
		await bell(proc, "watcher ALERT: -x; $(y)");
		expect(proc.execs.map((e) => e.argv)).toEqual([
			["/bin/sandbox-notify", "watcher ALERT: -x; $(y)"],
		]);
	});

	test("ignores absence, failure and a bell that hangs", async () => {
		const { proc, clock } = fakeDoors();
		await bell(proc, "x");
		expect(proc.execs).toEqual([]);
		proc.programs.set("sandbox-notify", "/bin/sandbox-notify");
		for (const answer of [1, HANG] as const) {
			proc.answer("sandbox-notify", answer);
			await clock.run(bell(proc, "x"));
		}
		expect(proc.execs).toHaveLength(2);
	});

	test("an alarm goes out as an emergency too, bell or no bell, and outlives a notifier that fails", async () => {
		const { proc } = fakeDoors();
		proc.answer(/notify\.ts/, 3);
		await alarm(proc, "the watcher does not stay up");
		expect(proc.execs.map((e) => e.argv.slice(4))).toEqual([
			[
				...[programPath("notify"), "nexus", "the watcher does not stay up"],
				...["--priority", "emergency", "--quiet"],
			],
		]);
	});
});

describe("claude", () => {
	const LOCAL = "/n/node_modules/.bin/claude";
	function rig(env: Record<string, string>, files: Record<string, number>) {
		const doors = fakeDoors({ proc: { env } });
		for (const [path, mode] of Object.entries(files))
			doors.files.seed(path, "", { mode });
		return doors;
	}
	test.each([
		[{ CLAUDE_BIN: "/c" }, { "/c": 0o755, [LOCAL]: 0o755 }, "/c"],
		[{ CLAUDE_BIN: "/c" }, { "/c": 0o644, [LOCAL]: 0o755 }, LOCAL],
		[{ CLAUDE_BIN: "" }, { [LOCAL]: 0o755 }, LOCAL],
		[{}, { [LOCAL]: 0o755 }, LOCAL],
		[{}, { [LOCAL]: 0o644 }, "/usr/bin/claude"],
		[{}, {}, "/usr/bin/claude"],
	])("with %j and %j it is %s", (env, files, path) => {
		const doors = rig(env, files);
		doors.proc.programs.set("claude", "/usr/bin/claude");
		expect(resolveClaudeBin(doors, "/n")).toEqual({ kind: "ok", path });
	});

	test("that is nowhere names what was tried and the installer", () => {
		const found = resolveClaudeBin(rig({ CLAUDE_BIN: "/c" }, {}), "/n");
		expect(found.kind === "missing" && found.message).toBe(
			`no claude to start: tried /c, ${LOCAL}, claude on PATH; install it with monitor/install-claude-local.ts`,
		);
	});
});

describe("the source hash", () => {
	function tree(extra: Record<string, string> = {}) {
		const { files } = fakeDoors();
		const all = {
			"/n/monitor/main.ts":
				'import { a } from "./a.ts";\nimport type { T } from "./types.ts";\nimport x from "zod";\nconst lazy = () => import("./deep/b.ts");\nconsole.log(a, x, lazy);',
			"/n/monitor/a.ts": 'export { c as a } from "../config/c.ts";',
			"/n/monitor/deep/b.ts": 'import { a } from "../a.ts"; console.log(a);',
			"/n/config/c.ts": "export const c = 1;",
			"/n/monitor/types.ts": "export type T = 1;",
			"/n/monitor/other.ts": "export {};",
			...extra,
		};
		for (const [path, text] of Object.entries(all)) files.seed(path, text);
		return files;
	}
	const hashOf = (extra?: Record<string, string>) => {
		const got = sourceHash(tree(extra), "/n", "monitor/main.ts");
		return got.kind === "ok" ? got.hash : got.path;
	};

	test("covers the entry and what it imports, lazily too; not types, packages or neighbours", () => {
		expect(sourceHash(tree(), "/n", "monitor/main.ts")).toMatchObject({
			kind: "ok",
			files: [
				"config/c.ts",
				"monitor/a.ts",
				"monitor/deep/b.ts",
				"monitor/main.ts",
			],
		});
	});

	test("stays the same for the same source and changes with any file of it", () => {
		const before = hashOf();
		expect(hashOf()).toBe(before);
		expect(before).toMatch(/^[0-9a-f]{64}$/);
		expect(hashOf({ "/n/monitor/other.ts": "export const o = 1;" })).toBe(
			before,
		);
		expect(hashOf({ "/n/config/c.ts": "export const c = 2;" })).not.toBe(
			before,
		);
	});

	test("a missing file means an update in progress, not another program", () => {
		const files = tree();
		files.remove("/n/config/c.ts");
		expect(sourceHash(files, "/n", "monitor/main.ts")).toEqual({
			kind: "torn",
			path: "/n/config/c.ts",
		});
	});

	test.each([
		["the marks of a merge", "<<<<<<< HEAD\nexport const c = 1;\n"],
		["half of its text", "export function c( {\n\tconst"],
	])("a file with %s is no program yet", (_, text) => {
		expect(hashOf({ "/n/config/c.ts": text })).toBe("/n/config/c.ts");
	});

	test("a package manifest is no part of a program", () => {
		const main = 'import p from "../package.json"; console.log(p);';
		const hash = (version: string) =>
			hashOf({ "/n/monitor/main.ts": main, "/n/package.json": version });
		expect(hash("1")).toBe(hash("2"));
	});

	test("a remembered source is read again only when its file changed", () => {
		const files = tree();
		let reads = 0;
		const counted = rememberedSources({
			stat: files.stat,
			read: (path) => {
				reads++;
				return files.read(path);
			},
		});
		const ask = () => sourceHash(counted, "/n", "monitor/main.ts");
		const first = ask();
		expect(ask()).toEqual(first);
		expect(reads).toBe(4);
		files.seed("/n/config/c.ts", "export const longer = 100;");
		expect(ask()).not.toEqual(first);
		expect(reads).toBe(5);
	});

	test("works on the programs that run now, shebang and all", () => {
		const entry = "monitor/watcher/main.ts";
		const got = sourceHash(realFiles(), CODE_ROOT, entry);
		expect(got.kind === "ok" && got.files).toContain("monitor/_sys/tmux.ts");
	});
});

test("somebody's home is HOME, or else a folder, whoever that is", () => {
	expect(userHome({ HOME: "/home/op" })).toBe("/home/op");
	expect(userHome({ HOME: "" })).toStartWith("/");
	expect(userHome({})).toStartWith("/");
});
