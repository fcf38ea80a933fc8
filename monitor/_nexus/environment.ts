/** Environments for programs that must not see the settings of the person who runs us. Pure. */

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What programs need to be found, loaded and understood here. Nothing else is passed on: a list of what hurts would
 * never be whole, as git, tmux, Claude Code, shells and bun each listen to dozens of names.
 */
const KEPT = [
	...["USER", "LOGNAME", "LD_LIBRARY_PATH", "LOCALE_ARCHIVE", "NIX_LD"],
	...["NIX_LD_LIBRARY_PATH", "TERMINFO", "TERMINFO_DIRS"],
	// Where a program on PATH may be a shim of these.
	...["ASDF_DATA_DIR", "MISE_DATA_DIR", "PYENV_ROOT", "VOLTA_HOME"],
	// The Claude Code that tests are to run on.
	"NEXUS_TEST_CLAUDE",
] as const;

/** Set where tests run: their environment is `isolatedEnv`'s. */
export const MADE_FOR_TESTS = "NEXUS_TEST_ENVIRONMENT";

/** The defined entries of an environment, as `exec` takes them. */
export function definedEnv(env: Env): Readonly<Record<string, string>> {
	return Object.fromEntries(
		Object.entries(env).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, value]],
		),
	);
}

/**
 * An environment that is the same whoever starts us: no colours, locale, time zone, proxy, repository, fleet, account or
 * tmux server of the caller's. With a home, a temporary folder and a tmux socket folder of its own, and `binDir` first on PATH.
 */
export function isolatedEnv(
	env: Env,
	own: {
		readonly home: string;
		readonly tmp: string;
		readonly tmuxDir: string;
		readonly binDir: string;
	},
): Readonly<Record<string, string>> {
	const kept = KEPT.map((name) => [name, env[name]] as const);
	return {
		...definedEnv(Object.fromEntries(kept)),
		PATH: `${own.binDir}:${env.PATH || "/usr/bin:/bin"}`,
		HOME: own.home,
		TMPDIR: own.tmp,
		TMUX_TMPDIR: own.tmuxDir,
		// Without a locale tmux shows `_` for every letter beyond ASCII.
		LANG: "C.UTF-8",
		TZ: "UTC",
		TERM: "xterm-256color",
		// tmux hands a window's command to it; the person's own would ask about a home without its files, or refuse.
		SHELL: "/bin/sh",
	};
}
