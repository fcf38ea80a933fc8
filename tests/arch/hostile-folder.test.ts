/**
 * Bun reads the folder it is called from: `.env`, `bunfig.toml` with its preload, `package.json`, and
 * it may install what it misses (contract 00 R1). For us that folder is a worker's repository.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CODE_ROOT, HOOKS, PROGRAMS } from "../../monitor/_sys/names.ts";
import { launched } from "../hooks/wired.ts";
import { BUN_DIR } from "../support/bun-dir.ts";

let dir: string;
let hostile: string;
const trap = () => join(dir, "the-preload-ran");

beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "hostile-"));
	hostile = join(dir, "repository");
	mkdirSync(hostile);
	const files = {
		".env": "NEXUS_STATE_DIR=/evil\nNEXUS_ROOT=/evil\nHOSTILE_ENV=read\n",
		"bunfig.toml": 'preload = ["./preload.ts"]\n',
		"preload.ts": `require("node:fs").writeFileSync(${JSON.stringify(trap())}, String(process.argv)); console.log("PRELOADED");`,
		"package.json":
			'{ "name": "evil", "type": "commonjs", "imports": { "#x": "./preload.ts" } }',
		"tsconfig.json":
			'{ "compilerOptions": { "paths": { "zod": ["./preload.ts"], "yaml": ["./preload.ts"], "minimist": ["./preload.ts"] } } }',
	};
	for (const [name, text] of Object.entries(files))
		writeFileSync(join(hostile, name), text);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** bun in front of PATH, a home of its own, no state and no tmux of the operator's. */
function environment(): Record<string, string> {
	return {
		PATH: `${BUN_DIR}:/usr/bin:/bin`,
		HOME: dir,
		TMUX_TMPDIR: dir,
		NEXUS_STATE_DIR: join(dir, "state"),
		NEXUS_ROOT: join(dir, "root"),
	};
}

/** A program that goes on has passed the moment at which a preload would have run. */
const LIMIT_MS = 3000;

async function run(argv: readonly string[]): Promise<string> {
	const child = Bun.spawn([...argv], {
		cwd: hostile,
		env: environment(),
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
		timeout: LIMIT_MS,
		killSignal: "SIGKILL",
	});
	const [out, err] = await Promise.all([
		child.stdout.text(),
		child.stderr.text(),
	]);
	await child.exited;
	return out + err;
}

test("the trap works: a bun started without our flags runs the preload and reads .env", async () => {
	const printed = await run([
		process.execPath,
		"-e",
		"console.log('env:', process.env.HOSTILE_ENV)",
	]);
	expect(printed).toContain("PRELOADED");
	expect(printed).toContain("env: read");
	expect(existsSync(trap())).toBe(true);
	rmSync(trap());
});

describe.each(
	[...Object.values(PROGRAMS), ...HOOKS].filter((name) =>
		existsSync(join(CODE_ROOT, name)),
	),
)("%s --help", (program) => {
	test("runs from a hostile folder and touches nothing of it", async () => {
		const printed = await run([join(CODE_ROOT, program), "--help"]);
		expect(existsSync(trap())).toBe(false);
		expect(printed).not.toContain("PRELOADED");
		expect(existsSync(join(hostile, "node_modules"))).toBe(false);
	}, 60_000);
});

test("the hooks' bundles run from a hostile folder and touch nothing of it", async () => {
	const roles = ["worker", "orchestrator"] as const;
	const wired = await Promise.all(roles.map((role) => launched(role, dir)));
	const commands = new Set(wired.flat().map((hook) => hook.command));
	for (const command of commands)
		expect(await run(["sh", "-c", command])).not.toContain("PRELOADED");
	expect(existsSync(trap())).toBe(false);
	expect(existsSync(join(hostile, "node_modules"))).toBe(false);
}, 60_000);
