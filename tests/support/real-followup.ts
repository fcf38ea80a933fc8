/** The program `paste-followup` against real agents: its exit code, and what it printed. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { programArgv } from "../../monitor/_sys/names.ts";
import { BUN_DIR } from "./bun-dir.ts";
import type { Claude } from "./claude-harness.ts";
import type { PrivateTmux } from "./private-tmux.ts";
import { type Ran, runIn } from "./real-root.ts";

export interface RealFollowup {
	readonly stateDir: string;
	run(claude: Claude, window: string, ...args: string[]): Promise<Ran>;
}

export function realFollowup(tmux: PrivateTmux): RealFollowup {
	const root = join(tmux.dir, "root");
	const stateDir = join(root, "monitor/.state");
	mkdirSync(stateDir, { recursive: true });
	return {
		stateDir,
		run: (claude, window, ...args) =>
			runIn(
				programArgv(process.execPath, "pasteFollowup", [window, ...args]),
				root,
				{
					...tmux.env,
					PATH: `${BUN_DIR}:${tmux.env.PATH ?? ""}`,
					HOME: root,
					NEXUS_ROOT: root,
					NEXUS_STATE_DIR: stateDir,
					CLAUDE_CONFIG_DIR: claude.configDir,
				},
			),
	};
}
