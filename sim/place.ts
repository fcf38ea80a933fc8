/** Where things stand on the simulated machine. */
import { CLAUDE_HOME } from "./claude-outside.ts";

export const ROOT = "/nexus";
export const STATE = `${ROOT}/monitor/.state`;
export const TARGET = "orchestrator";

/** What the watcher and every session have in their environment. */
export const ENV = {
	HOME: "/home/op",
	PATH: "/usr/bin:/bin",
	NEXUS_ROOT: ROOT,
	NEXUS_STATE_DIR: STATE,
	NEXUS_I_ACCEPT_NO_SANDBOX: "1",
	CLAUDE_CONFIG_DIR: CLAUDE_HOME,
	WATCHER_WINDOW: "headless",
	TMPDIR: "/tmp",
} as const;
