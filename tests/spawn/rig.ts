/** A fake machine on which workers can be started: a checkout at /code, a root at /root, tmux with an orchestrator. */
import { readFileSync } from "node:fs";
import { parseSpawnArgs } from "../../monitor/_spawn/args.ts";
import { openContext } from "../../monitor/_spawn/open.ts";
import { runSpawn } from "../../monitor/_spawn/run.ts";
import { claudeConfigPath } from "../../monitor/_state/claude-config.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import type { FakeWindow } from "../fakes/tmux-model.ts";
import { fakeBunBuild } from "../support/fake-bun-build.ts";

export const ROOT = "/root";
export const CODE = "/code";
export const S = "/root/monitor/.state";
export const WORK = "/work/w";
export const FLOOR = "Rules of the floor.";

export interface SpawnRig {
	readonly doors: FakeDoors;
	/** Runs `spawn-worker`. */
	spawn(...argv: string[]): Promise<Ran>;
	/** The same, called from that folder. */
	from(cwd: string, ...argv: string[]): Promise<Ran>;
	/** Runs a fresh spawn of `w` with these further arguments. */
	fresh(...argv: string[]): Promise<Ran>;
	/** Text of the launcher that was typed last. */
	launcher(): string;
	/** What the launcher's shell would give claude as prompt. */
	prompt(): string;
	window(name: string): FakeWindow | undefined;
	/** Everything on the disk but the time: unchanged means that nothing was left behind. */
	disk(): Readonly<Record<string, string>>;
}
export interface Ran {
	readonly rc: number;
	readonly out: string;
	readonly err: string;
}

/** What the launcher's program does in its window: shows its screen, or has printed something and ended. */
export type Program =
	| { readonly kind: "lives"; readonly screen: string }
	| { readonly kind: "ended"; readonly said: string };

export const IDLE = readFileSync(
	new URL("../fixtures/panes/idle-empty-synthetic.ansi", import.meta.url),
	"utf8",
);

export function spawnRig(
	env: Readonly<Record<string, string | undefined>> = {},
	program: Program = { kind: "lives", screen: IDLE },
): SpawnRig {
	const doors = fakeDoors({
		auto: true,
		proc: {
			env: {
				HOME: "/home/op",
				// Of a batch job that is over.
				TMPDIR: "/scratch/job",
				NEXUS_ROOT: ROOT,
				CLAUDE_CONFIG_DIR: "/cc",
				...env,
			},
		},
	});
	const { files, tmux } = doors;
	files.seed("/code/node_modules/.bin/claude", "", { mode: 0o755 });
	files.seed("/opt/bun/bin/bun", "", { mode: 0o755 });
	files.seed(
		"/code/monitor/worker-settings.json",
		'{"command":"\\"@BUN@\\" \\"@ROOT@/monitor/worker-heartbeat.ts\\""}',
	);
	files.seed(
		"/code/skills/nexus.worker-defaults/SKILL.md",
		`# Defaults\n\n## Worker floor\n\n${FLOOR}\n\n## Other\n\nnot this\n`,
	);
	files.seed("/root/task.md", "Do the thing.\n\n$HOME `x` 'y'\n");
	for (const dir of [WORK, "/tmp", "/cc", "/home/op", "/root/reports"])
		files.seedDir(dir);
	fakeBunBuild(doors);
	tmux.window("orchestrator");
	let typed = "";
	let started: string | null = null;
	tmux.before((call) => {
		if (call.op === "panes" && started !== null) {
			claudeIn(doors, started, program);
			started = null;
		}
		if (call.op !== "run" || call.cmd.kind !== "send-keys") return;
		const [keys = ""] = call.cmd.keys;
		const path = keys.replace(/^'|'$/g, "");
		if (!files.has(path)) return;
		typed = files.text(path);
		// A shell that runs it: its first act is to remove itself and the prompt.
		prompt = promptOf(typed);
		files.remove(path);
		started = call.cmd.target;
	});
	let prompt = "";
	const promptOf = (text: string): string => {
		const path = /prompt=\$\(cat '([^']+)'\)/.exec(text)?.[1];
		return path === undefined ? "" : files.text(path);
	};
	const from = async (cwd: string, ...argv: string[]): Promise<Ran> => {
		const out: string[] = [];
		const err: string[] = [];
		const say = {
			out: (line: string) => void out.push(line),
			err: (line: string) => void err.push(line),
		};
		const rc = await runSpawn(argv, say, () =>
			openContext(doors, CODE, cwd, say),
		);
		return { rc, out: out.join("\n"), err: err.join("\n") };
	};
	const spawn = (...argv: string[]) => from(ROOT, ...argv);
	return {
		doors,
		spawn,
		from,
		fresh: (...argv) =>
			spawn("-n", "w", "-c", WORK, "-p", "/root/task.md", ...argv),
		launcher: () => typed,
		prompt: () => prompt,
		window: (name) =>
			tmux.model.sessions
				.flatMap((s) => s.windows)
				.map((w) => w.window)
				.find((w) => w.name === name),
		disk: () =>
			Object.fromEntries(files.paths("/").map((p) => [p, files.text(p)])),
	};
}

/** The pane's shell ran the launcher just now. */
function claudeIn(doors: FakeDoors, paneId: string, program: Program): void {
	const pane = doors.tmux.model.find(paneId)?.pane;
	if (pane === undefined) return;
	const now = doors.clock.now();
	const startTicks = String((now - (doors.proc.bootTime() ?? now)) * 100);
	const pid = pane.pid ?? 0;
	doors.proc.add({ pid, ppid: 900, comm: "bash", cwd: WORK, startTicks });
	if (program.kind === "lives") {
		const claude = { pid: pid + 50_000, ppid: pid, comm: "claude" };
		doors.proc.add({ ...claude, startTicks });
		pane.screen = program.screen;
	} else {
		const typed = "'/tmp/spawn-launcher-w.4242'";
		pane.screen = `$ ${typed}\n${program.said}\n$ `;
	}
}

/** The trust file of the rig. */
export const TRUST = claudeConfigPath({ CLAUDE_CONFIG_DIR: "/cc" }) ?? "";

export function argsOf(line: string) {
	return parseSpawnArgs(line.split(" ").filter(Boolean));
}
