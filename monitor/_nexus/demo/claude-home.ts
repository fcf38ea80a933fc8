/** What the real Claude Code needs to run with no account against a loopback model (contract 00, "What is real here"). Values only. */
import { join } from "node:path";

export interface ClaudeHome {
	/** `HOME`: nothing of the person who runs this is read or written. */
	readonly home: string;
	/** `CLAUDE_CONFIG_DIR`. */
	readonly configDir: string;
	/** `TMPDIR`, for Claude Code's sockets and scratch files. */
	readonly tmp: string;
}

/** Folders below `base`; none is made here. */
export function claudeHomeAt(base: string): ClaudeHome {
	return {
		home: join(base, "home"),
		configDir: join(base, "claude"),
		tmp: join(base, "tmp"),
	};
}

/** `.claude.json`: first-start dialogs are prevented, not answered (contract 00 C5). */
export function claudeConfig(trustedFolders: readonly string[]): object {
	const trusted = {
		hasTrustDialogAccepted: true,
		hasCompletedProjectOnboarding: true,
		allowedTools: [],
	};
	return {
		theme: "dark",
		hasCompletedOnboarding: true,
		bypassPermissionsModeAccepted: true,
		projects: Object.fromEntries(trustedFolders.map((dir) => [dir, trusted])),
	};
}

/** Claude Code's whole environment: built, not inherited, so that no account or setting leaks in. */
export function claudeEnv(opts: {
	readonly where: ClaudeHome;
	readonly modelUrl: string;
	readonly path: string;
	readonly root: boolean;
}): Readonly<Record<string, string>> {
	return {
		PATH: opts.path,
		HOME: opts.where.home,
		TMPDIR: opts.where.tmp,
		LANG: "C.UTF-8",
		SHELL: "/bin/sh",
		CLAUDE_CONFIG_DIR: opts.where.configDir,
		ANTHROPIC_BASE_URL: opts.modelUrl,
		ANTHROPIC_AUTH_TOKEN: "loopback",
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		DISABLE_AUTOUPDATER: "1",
		DISABLE_TELEMETRY: "1",
		DISABLE_ERROR_REPORTING: "1",
		CLAUDE_CODE_MAX_RETRIES: "1",
		CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false",
		// Without it Claude Code refuses to skip permissions as root.
		...(opts.root ? { IS_SANDBOX: "1" } : {}),
	};
}

/**
 * argv for a tmux window: Claude Code with exactly this environment and the pane's own `TMUX` and
 * `TMUX_PANE`. `exec` twice, so that the pane's pid is Claude Code's.
 */
export function claudeArgv(
	env: Readonly<Record<string, string>>,
	binary: string,
	flags: readonly string[],
): readonly string[] {
	const keep = `exec env -i TERM="$TERM" TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" "$@"`;
	const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
	return ["sh", "-c", keep, "sh", ...pairs, binary, ...flags];
}
