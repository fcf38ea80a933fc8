/** The demo's fleet: a model that listens, an orchestrator, a build and a worker, each in its window. */
import { join } from "node:path";
import { programArgv } from "../../_sys/names.ts";
import { furnishAsker, spawnAsker } from "./asker.ts";
import { claudeArgv, claudeConfig, claudeEnv } from "./claude-home.ts";
import type { FollowedPanes } from "./panes.ts";
import { startServer } from "./server.ts";
import { failed, type Stage, type Step, until } from "./stage.ts";
import {
	ASKER,
	BUILD,
	demoFolders,
	SESSION,
	TARGET,
	workFolder,
} from "./world.ts";

const START_LIMIT_MS = 60_000;

/** Writes the folders, the configuration of Claude Code, and the task. */
export function furnish(stage: Stage): void {
	const { doors, world } = stage;
	for (const dir of demoFolders(world)) doors.files.mkdir(dir, 0o700);
	doors.files.writeAtomic(
		join(world.claude.configDir, ".claude.json"),
		JSON.stringify(claudeConfig([workFolder(world, TARGET)])),
		{ mode: 0o600 },
	);
	furnishAsker(stage);
}

/** Starts the model API; gives its address. */
export function startModel(stage: Stage): Promise<Step<string>> {
	const { doors, world, codeRoot } = stage;
	const { execPath } = doors.proc;
	return startServer(stage, {
		what: "the model API",
		argv: programArgv(execPath, "demoModel", [world.root], codeRoot),
		log: world.modelLog,
		portFile: world.modelPort,
	});
}

/** Opens all windows and waits until each Claude Code is where the story begins. */
export async function openFleet(
	stage: Stage,
	modelUrl: string,
	panes: FollowedPanes,
): Promise<Step<true>> {
	const { tmux, world } = stage;
	const env = agentEnv(stage, modelUrl);
	const opened = await tmux.run({
		kind: "new-session",
		name: SESSION,
		windowName: TARGET,
		cwd: workFolder(world, TARGET),
		width: 160,
		height: 45,
		// Every later window of the session has it, too: so the workers find the model.
		env,
		command: claudeArgv(env, join(stage.codeRoot, "node_modules/.bin/claude"), [
			"--dangerously-skip-permissions",
		]),
	});
	if (opened.kind !== "ok") return failed(`tmux: ${JSON.stringify(opened)}`);
	const [session = ""] = opened.stdout.split("|");
	const made = await tmux.run({
		kind: "new-window",
		session,
		name: BUILD,
		cwd: world.root,
		command: buildCommand(world.buildDone),
	});
	if (made.kind !== "ok") return failed(`tmux: ${JSON.stringify(made)}`);
	const spawned = await spawnAsker(stage);
	if (spawned.kind === "failed") return spawned;
	const wanted = { [TARGET]: "idle", [ASKER]: "busy" };
	return until(stage, "the fleet to be at work", START_LIMIT_MS, async () => {
		const states = await panes.look();
		const isThere = ([w, state]: readonly string[]) =>
			states.get(w ?? "") === state;
		return Object.entries(wanted).every(isThere) ? true : null;
	});
}

/** Session id of the orchestrator, by Claude Code's own file; null while it says nothing. */
export async function orchestratorSession({
	doors,
	tmux,
	world,
	signal,
}: Stage): Promise<string | null> {
	const rows = await tmux.panes(signal);
	if (rows.kind !== "ok") return null;
	const row = rows.rows.find((r) => r.windowName === TARGET);
	const file = join(world.claude.configDir, `sessions/${row?.panePid}.json`);
	const read = doors.files.read(file);
	if (read.kind !== "ok") return null;
	// One field of a file that is written in place: a pattern bears a torn one.
	return /"sessionId":"([^"]+)"/.exec(read.text)?.[1] ?? null;
}

function agentEnv(
	{ doors, world, env }: Stage,
	modelUrl: string,
): Readonly<Record<string, string>> {
	const where = world.claude;
	const path = env.PATH ?? "";
	const root = doors.proc.uid === 0;
	return {
		...claudeEnv({ where, modelUrl, path, root }),
		NEXUS_ROOT: world.root,
		NEXUS_STATE_DIR: world.stateDir,
	};
}

/** A build that ends with a bell, and leaves its last words on the screen. */
function buildCommand(flag: string): readonly string[] {
	const script = `echo building; until [ -e '${flag}' ]; do sleep 0.2; done; printf 'built\\a\\n'; exec cat`;
	return ["sh", "-c", script];
}
