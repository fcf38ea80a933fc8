/** Environments for programs that must not see the settings of the person who runs us. Pure. */

type Env = Readonly<Record<string, string | undefined>>;

/** What points at a real tmux server, a real fleet, a real account or a real runtime folder. */
const OWN =
	/^(TMUX|NEXUS_|MONITOR_|WATCHER_|SANDBOX_|CLAUDE|ANTHROPIC|XDG_|BUN_OPTIONS)/;

/** The defined entries of an environment, as `exec` takes them. */
export function definedEnv(env: Env): Readonly<Record<string, string>> {
	return Object.fromEntries(
		Object.entries(env).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, value]],
		),
	);
}

/** Without the caller's settings, with a home, a temporary folder and a tmux socket folder of its own, and `binDir` first on PATH. */
export function isolatedEnv(
	env: Env,
	own: {
		readonly home: string;
		readonly tmp: string;
		readonly tmuxDir: string;
		readonly binDir: string;
	},
): Readonly<Record<string, string>> {
	const kept = Object.entries(definedEnv(env)).filter(
		([name]) => !OWN.test(name),
	);
	return {
		// Without a locale tmux shows `_` for every letter beyond ASCII.
		LANG: "C.UTF-8",
		...Object.fromEntries(kept),
		PATH: `${own.binDir}:${env.PATH ?? "/usr/bin:/bin"}`,
		HOME: own.home,
		TMPDIR: own.tmp,
		TMUX_TMPDIR: own.tmuxDir,
	};
}
