/** The demo's fleet: a model that listens, an orchestrator, two workers and a build, each in its window. */
import { join } from "node:path";
import type { PaneRow } from "../../_sys/doors.ts";
import { programArgv } from "../../_sys/names.ts";
import { claudeArgv, claudeConfig, claudeEnv } from "./claude-home.ts";
import { ASKER_PROMPT, REPORTER_PROMPT } from "./script.ts";
import { done, failed, type Stage, type Step, until } from "./stage.ts";
import {
	ASKER,
	BUILD,
	DEMO_CONFIG,
	demoFolders,
	REPORTER,
	TARGET,
	workFolder,
} from "./world.ts";

const START_LIMIT_MS = 60_000;

/** Writes the folders and the two configurations: nexus's and Claude Code's. */
export function furnish({ doors, world }: Stage): void {
	for (const dir of demoFolders(world)) doors.files.mkdir(dir, 0o700);
	doors.files.writeAtomic(world.configPath, DEMO_CONFIG, { mode: 0o600 });
	const folders = [TARGET, REPORTER, ASKER].map((w) => workFolder(world, w));
	doors.files.writeAtomic(
		join(world.claude.configDir, ".claude.json"),
		JSON.stringify(claudeConfig(folders)),
		{ mode: 0o600 },
	);
}

/** Starts the model API; gives its address. */
export async function startModel(stage: Stage): Promise<Step<string>> {
	const { doors, world, env, codeRoot } = stage;
	const argv = programArgv(
		doors.proc.execPath,
		"demoModel",
		[world.root],
		codeRoot,
	);
	const begun = doors.proc.spawnDetached({ argv, env, log: world.modelLog });
	if (begun.kind === "failed") return begun;
	const port = await until(stage, "the model API", START_LIMIT_MS, () => {
		const read = doors.files.read(world.modelPort);
		return read.kind === "ok" ? Number(read.text) : null;
	});
	return port.kind === "ok" ? done(`http://127.0.0.1:${port.value}`) : port;
}

/** Opens all windows and waits until each Claude Code is where the story begins. */
export async function openFleet(
	stage: Stage,
	modelUrl: string,
): Promise<Step<readonly PaneRow[]>> {
	const { tmux, world } = stage;
	const opened = await tmux.run({
		kind: "new-session",
		name: "fleet",
		windowName: TARGET,
		cwd: workFolder(world, TARGET),
		...{ width: 160, height: 45 },
		command: claude(stage, modelUrl, ["--dangerously-skip-permissions"]),
	});
	if (opened.kind !== "ok") return failed(`tmux: ${JSON.stringify(opened)}`);
	const [session = ""] = opened.stdout.split("|");
	const bypass = ["--dangerously-skip-permissions"];
	const windows: readonly (readonly [string, readonly string[]])[] = [
		[REPORTER, claude(stage, modelUrl, [...bypass, REPORTER_PROMPT])],
		[ASKER, claude(stage, modelUrl, [ASKER_PROMPT])],
		[BUILD, buildCommand(world.buildDone)],
	];
	for (const [name, command] of windows) {
		const cwd = name === BUILD ? world.root : workFolder(world, name);
		const made = await tmux.run({
			kind: "new-window",
			...{ session, name, cwd, command },
		});
		if (made.kind !== "ok") return failed(`tmux: ${JSON.stringify(made)}`);
	}
	return awaitFleet(stage);
}

async function awaitFleet(stage: Stage): Promise<Step<readonly PaneRow[]>> {
	const rows = await stage.tmux.panes(stage.signal);
	if (rows.kind !== "ok") return failed(`tmux: ${JSON.stringify(rows)}`);
	const wanted = { [TARGET]: "idle", [REPORTER]: "busy", [ASKER]: "waiting" };
	for (const [window, status] of Object.entries(wanted)) {
		const row = rows.rows.find((r) => r.windowName === window);
		const what = `Claude Code in window ${window} to be ${status}`;
		const there = await until(stage, what, START_LIMIT_MS, () =>
			session(stage, row?.panePid ?? 0)?.status === status ? true : null,
		);
		if (there.kind === "failed") return there;
	}
	return done(rows.rows);
}

/** What Claude Code's own file says of the session with this pid; null while it says nothing. */
export function session(
	{ doors, world }: Pick<Stage, "doors" | "world">,
	pid: number,
): { readonly id: string; readonly status: string } | null {
	const path = join(world.claude.configDir, "sessions", `${pid}.json`);
	const read = doors.files.read(path);
	if (read.kind !== "ok") return null;
	// Two fields of a file that is written in place: patterns bear a torn one.
	const [, id] = /"sessionId":"([^"]+)"/.exec(read.text) ?? [];
	const [, status] = /"status":"([^"]+)"/.exec(read.text) ?? [];
	return id === undefined || status === undefined ? null : { id, status };
}

function claude(
	{ doors, world, env, codeRoot }: Stage,
	modelUrl: string,
	flags: readonly string[],
): readonly string[] {
	const where = world.claude;
	const path = env.PATH ?? "";
	const root = doors.proc.uid === 0;
	const bin = join(codeRoot, "node_modules/.bin/claude");
	return claudeArgv(
		{
			...claudeEnv({ where, modelUrl, path, root }),
			NEXUS_ROOT: world.root,
			NEXUS_STATE_DIR: world.stateDir,
		},
		bin,
		flags,
	);
}

/** A build that ends with a bell, and leaves its last words on the screen. */
function buildCommand(flag: string): readonly string[] {
	const script = `echo building; until [ -e '${flag}' ]; do sleep 0.2; done; printf 'built\\a\\n'; exec cat`;
	return ["sh", "-c", script];
}
