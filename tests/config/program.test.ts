/** `config/load.ts` as a real process: exit codes, streams, and what a cached tree saves. */
import { afterAll, expect, test } from "bun:test";
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderExample } from "../../config/example.ts";
import { BUN_FLAGS, programPath } from "../../monitor/_sys/names.ts";

const root = mkdtempSync(join(tmpdir(), "nexus-load-"));
afterAll(() => rmSync(root, { recursive: true }));
const own = join(root, "config/nexus.yml");
const cache = join(root, "monitor/.state/config-cache.json");
mkdirSync(join(root, "config"));
mkdirSync(join(root, "monitor/.state"), { recursive: true });
writeFileSync(join(root, "config/nexus.example.yml"), renderExample());

function write(text: string): void {
	writeFileSync(own, text);
	chmodSync(own, 0o600);
}

function load(...argv: readonly string[]) {
	const script = programPath("configLoad");
	return run([process.execPath, ...BUN_FLAGS, script, ...argv]);
}

function run(argv: string[]) {
	const env = { HOME: "/home/ada", NEXUS_ROOT: root };
	const done = Bun.spawnSync(argv, { env, cwd: root });
	return {
		code: done.exitCode,
		out: done.stdout.toString(),
		err: done.stderr.toString(),
	};
}

/** Which packages a load of the file brought in. */
function packagesLoaded(): string {
	const from = `{ files: realFiles(), clock: realClock({}), env: {}, root: ${JSON.stringify(root)}, uid: process.getuid(), cachePath: ${JSON.stringify(cache)} }`;
	const script = `
		import { loadConfig } from "${join(import.meta.dir, "../../config/read.ts")}";
		import { resolveConfig } from "${join(import.meta.dir, "../../config/resolve.ts")}";
		import { realFiles } from "${join(import.meta.dir, "../../monitor/_sys/files.ts")}";
		import { realClock } from "${join(import.meta.dir, "../../monitor/_sys/clock.ts")}";
		const loaded = await loadConfig(${from});
		resolveConfig(loaded.tree, {}, { root: "/", home: "/" });
		const found = Object.keys(require.cache).flatMap((p) => /node_modules\\/([^/]+)/.exec(p)?.[1] ?? []);
		console.log([...new Set(found)].sort().join(" "));
	`;
	return run([process.execPath, ...BUN_FLAGS, "-e", script]).out.trim();
}

test("values go to stdout, all else to stderr, and the verdict is the exit code", () => {
	write("monitor: {interval_seconds: 45}\np: ~/x\n");
	expect(load("monitor.interval_seconds")).toMatchObject({
		code: 0,
		out: "45\n",
	});
	expect(load("p").out).toBe("/home/ada/x\n");
	expect(load("no.such.key", "")).toMatchObject({ code: 0, out: "\n" });
	expect(load("no.such.key")).toMatchObject({ code: 2, out: "" });
	expect(load()).toMatchObject({ code: 1, out: "" });
	write(renderExample());
	expect(load("--validate")).toMatchObject({ code: 4, out: "" });
	write("monitor: {interval_seconds: fast}\n");
	const bad = load("monitor.interval_seconds", "60");
	expect(bad).toMatchObject({ code: 3, out: "" });
	expect(bad.err).toContain(`config: ${own}:1:29: monitor.interval_seconds: `);
});

test("with a cached tree neither the parser nor the validator is loaded", () => {
	write("monitor: {interval_seconds: 47}\n");
	expect(packagesLoaded()).toBe("yaml zod");
	expect(packagesLoaded()).toBe("");
});
