/** Whoever asks a program how it is called is told, and nothing else happens; whoever forgot the arguments is told, too. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	CODE_ROOT,
	PROGRAMS,
	type ProgramName,
} from "../../monitor/_sys/names.ts";
import { BUN_DIR } from "../support/bun-dir.ts";

/** Their contract says otherwise. */
const OTHERWISE: Readonly<Record<string, string>> = {
	"monitor/pane-state.ts": "usage is exit 2, on stderr",
	"monitor/mint-token.ts":
		"its stdout holds a token or nothing; usage is on stderr",
	"monitor/worker-heartbeat.ts": "a hook: always 0, and not a word",
};
/** The others do their work without arguments, or say what is the matter. */
const NEED_ARGUMENTS = [
	...["assertBotAuthor", "asyncRun", "captureArchive", "captureFallback"],
	...["ccApply", "claudeLoop", "configLoad", "declareNoWait", "declareWait"],
	...["demoModel", "escCap", "heartbeatTicker", "installKit", "jevFilter"],
	...["ng", "notify", "paneState", "pasteFollowup", "requestChannel"],
	...["retirePreflight", "skepticChannel", "spawnFreshOrchestrator"],
	...["spawnWorker", "startWatcher", "tmuxWindow", "uploadAsset"],
	...["workerHealth", "writeProbe"],
] as const satisfies readonly ProgramName[];

let dir: string;
beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "nexus-help-"));
	mkdirSync(join(dir, "root"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function ask(program: string, ...args: readonly string[]) {
	const child = Bun.spawn([join(CODE_ROOT, program), ...args], {
		cwd: dir,
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
		timeout: 20_000,
		env: {
			PATH: `${BUN_DIR}:/usr/bin:/bin`,
			HOME: dir,
			TMPDIR: dir,
			TMUX_TMPDIR: dir,
			NEXUS_ROOT: join(dir, "root"),
			NEXUS_STATE_DIR: join(dir, "root/state"),
		},
	});
	const [out, err] = await Promise.all([
		new Response(child.stdout).text(),
		new Response(child.stderr).text(),
	]);
	return { program, rc: await child.exited, out, err };
}

test("--help of every program is its usage on stdout, 0, and leaves nothing", async () => {
	const programs = Object.values(PROGRAMS).filter(
		(program) => OTHERWISE[program] === undefined,
	);
	const answers = await Promise.all(programs.map((p) => ask(p, "--help")));
	const wrong = answers.filter(
		({ rc, out, err }) => rc !== 0 || !/usage:|^ng: /.test(out) || err !== "",
	);
	expect(wrong).toEqual([]);
	expect(readdirSync(join(dir, "root"))).toEqual([]);
}, 60_000);

test("a call without the arguments that it needs is refused with the usage", async () => {
	const answers = await Promise.all(
		NEED_ARGUMENTS.map((name) => ask(PROGRAMS[name])),
	);
	const wrong = answers.filter(
		({ rc, out, err }) => rc === 0 || out !== "" || !/usage:/.test(err),
	);
	expect(wrong).toEqual([]);
}, 60_000);
