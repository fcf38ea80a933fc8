/** What a proof needs from outside: a model that listens, a home for Claude Code, a tmux server of its own. Types only. */
import type {
	claudeArgv,
	claudeConfig,
	claudeEnv,
	claudeHomeAt,
} from "../../_nexus/demo/claude-home.ts";
import type {
	ModelServer,
	startModelServer,
} from "../../_nexus/demo/model/server.ts";
import type { Tmux } from "../../_sys/doors.ts";

export interface ProofKit {
	readonly startModel: typeof startModelServer;
	readonly homeAt: typeof claudeHomeAt;
	readonly config: typeof claudeConfig;
	readonly env: typeof claudeEnv;
	readonly argv: typeof claudeArgv;
	readonly tmuxIn: (env: Readonly<Record<string, string>>) => Tmux;
}
export type { ModelServer };
