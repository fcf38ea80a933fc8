/** Installed copies: one file each, that needs bun and nothing else of ours. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installKit, KITS } from "../../monitor/_fleet/install.ts";
import { realFiles } from "../../monitor/_sys/files.ts";
import { BUN_FLAGS, CODE_ROOT } from "../../monitor/_sys/names.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { BUN_DIR } from "../support/bun-dir.ts";

let dir: string;
/** Where bun lies is the operator's business; no shell and no shebang may stumble over it. */
let bun: string;
const doors = () => ({
	files: realFiles(),
	proc: { ...realProc(), execPath: bun },
});
beforeAll(() => {
	dir = realpathSync(mkdtempSync(join(tmpdir(), "nexus kit-")));
	mkdirSync(join(dir, `it's $HOME "q"`));
	bun = join(dir, `it's $HOME "q"`, "bun");
	symlinkSync(process.execPath, bun);
});
afterAll(() => rmSync(dir, { recursive: true }));

const run = (argv: readonly string[], cwd = "/") => {
	const ran = Bun.spawnSync([...argv], { cwd, env: {} });
	return {
		rc: ran.exitCode,
		out: ran.stdout.toString(),
		err: ran.stderr.toString(),
	};
};

describe("a kit", () => {
	beforeAll(async () => {
		for (const kit of ["pane-watch", "roster-watch"] as const)
			expect(await installKit(doors(), CODE_ROOT, kit, dir)).toEqual({
				kind: "ok",
				files: KITS[kit].map((name) => join(dir, name)),
			});
	});

	test.each(KITS["pane-watch"])(
		"%s runs by itself, with no environment",
		(name) => {
			const path = join(dir, name);
			expect(statSync(path).mode & 0o777).toBe(0o755);
			const text = readFileSync(path, "utf8");
			expect(text.split("\n", 1)).toEqual([
				`#!/usr/bin/env -S "${dir}/it's \\$HOME \\"q\\"/bun" ${BUN_FLAGS.join(" ")}`,
			]);
			expect(text).not.toMatch(/from\s*"\.{1,2}\//);
			const check = { rc: 0, out: `ok ${name}\n`, err: "" };
			expect(run([path, "--self-check"])).toEqual(check);
		},
	);

	test("a copy finds its fleet from where it lies, not from where it is called", () => {
		const own = join(dir, "mine/.thrum/agents/w1");
		const decoy = join(dir, "decoy");
		for (const at of [own, join(decoy, ".thrum/agents/w1")])
			mkdirSync(at, { recursive: true });
		const [name] = KITS["pane-watch"];
		const copy = join(own, name);
		writeFileSync(copy, readFileSync(join(dir, name)), { mode: 0o755 });
		writeFileSync(join(own, "watch_params.json"), '{ "roster": [] }');
		expect(run([copy], decoy)).toEqual({ rc: 0, out: "", err: "" });
		const log = join(dir, "mine/.thrum/var/log/w1-pane-watch.log");
		expect(readFileSync(log, "utf8")).toContain("NOOP");
	});
});

test("one that does not bundle, or does not run where it lies, is no kit", async () => {
	const broken = join(dir, "broken");
	mkdirSync(join(broken, "resources"), { recursive: true });
	const write = (text: string) => {
		for (const name of KITS["pane-watch"])
			writeFileSync(join(broken, "resources", name), text);
	};
	write('import "./gone.ts";');
	expect(await installKit(doors(), broken, "pane-watch", dir)).toMatchObject({
		kind: "failed",
		why: expect.stringContaining("thrum-watch-pane-capture.ts does not bundle"),
		files: [],
	});
	write('console.log("hello");');
	expect(await installKit(doors(), broken, "pane-watch", dir)).toMatchObject({
		kind: "failed",
		why: expect.stringContaining('does not run: it said "hello"'),
	});
});

test("the program says what it installed, and what it does not know", () => {
	const program = join(CODE_ROOT, "resources/install-kit.ts");
	const env = { PATH: `${BUN_DIR}:/usr/bin:/bin` };
	const call = (...words: readonly string[]) =>
		Bun.spawnSync([program, ...words], { cwd: dir, env });
	const done = call("pane-watch", "by-hand");
	expect(done.stdout.toString()).toBe(
		KITS["pane-watch"].map((n) => `installed ${dir}/by-hand/${n}\n`).join(""),
	);
	expect(call("no-such-kit", "x").exitCode).toBe(2);
});
