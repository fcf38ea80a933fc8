/** The demo's world: every path and setting of it, below one temporary folder. Values only. */
import { join } from "node:path";
import { stateDirOf } from "../../_state/state-dir.ts";
import { isolatedEnv } from "../environment.ts";
import { type ClaudeHome, claudeHomeAt } from "./claude-home.ts";
import { type StandInFiles, standInFilesAt } from "./github-files.ts";

/** Where the issue is, and where reports are uploaded. */
export const REPO = "demo/hub";
/** Login of the person whose comments are orders; and of one whose are not. */
export const OPERATOR = "demo";
export const COLLEAGUE = "colleague";
export const BOT = "demo-bot";

export const TARGET = "orchestrator";
export const REPORTER = "bench-a";
export const ASKER = "bench-b";
export const BUILD = "build";
/** The tmux session that holds all of them. */
export const SESSION = "fleet";

export interface DemoWorld {
	/** `NEXUS_ROOT`. */
	readonly root: string;
	readonly stateDir: string;
	readonly configPath: string;
	readonly reportsDir: string;
	readonly claude: ClaudeHome;
	readonly tmuxDir: string;
	readonly modelLog: string;
	/** Written by the model server once it listens. */
	readonly modelPort: string;
	readonly gitHub: StandInFiles;
	/** The asker comes to its question when this file is there. */
	readonly askNow: string;
	/** The build window rings when this file is there. */
	readonly buildDone: string;
}

/** Makes nothing. */
export function demoWorldAt(root: string): DemoWorld {
	return {
		root,
		stateDir: stateDirOf(root),
		configPath: join(root, "config/nexus.yml"),
		reportsDir: join(root, "reports"),
		claude: claudeHomeAt(join(root, "claude-code")),
		tmuxDir: join(root, "tmux"),
		modelLog: join(root, "model.log"),
		modelPort: join(root, "model.port"),
		gitHub: standInFilesAt(join(root, "github")),
		askNow: join(root, "work/ask.now"),
		buildDone: join(root, "work/build.done"),
	};
}

/** Folders that must be there before anything starts. */
export function demoFolders(world: DemoWorld): readonly string[] {
	const { root, claude } = world;
	return [
		...["config", "github", "reports", "tmux", "monitor/.state"].map((d) =>
			join(root, d),
		),
		...[TARGET, REPORTER, ASKER].map((name) => workFolder(world, name)),
		...[claude.home, claude.configDir, claude.tmp],
	];
}

/** The folder that a Claude Code of the demo works in. */
export function workFolder(world: DemoWorld, window: string): string {
	return join(world.root, "work", window);
}

/** The prompt that a worker of the demo is started with. */
export function taskFile(world: DemoWorld, window: string): string {
	return join(world.root, "work", `${window}.task.md`);
}

/** Environment of the watcher, and of every tmux client of the demo. */
export function demoEnv(
	env: Readonly<Record<string, string | undefined>>,
	world: DemoWorld,
	binDir: string,
): Readonly<Record<string, string>> {
	return {
		...isolatedEnv(env, {
			home: world.claude.home,
			tmp: world.claude.tmp,
			tmuxDir: world.tmuxDir,
			binDir,
		}),
		CLAUDE_CONFIG_DIR: world.claude.configDir,
		NEXUS_ROOT: world.root,
		NEXUS_STATE_DIR: world.stateDir,
		NEXUS_CONFIG: world.configPath,
		// The world is thrown away and its agents are scripted.
		NEXUS_I_ACCEPT_NO_SANDBOX: "1",
	};
}
