/** The environment of a git that only looks. */

/** A caller's `GIT_DIR` would answer for another repository, and a clone's fsmonitor hook is a program of a stranger. */
export function plainGitEnv(
	env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
	const own = Object.entries(env).flatMap(([key, value]) =>
		value === undefined || isAboutRepository(key) ? [] : [[key, value]],
	);
	return {
		...Object.fromEntries(own),
		LC_ALL: "C",
		// Nobody is there to type a password.
		GIT_TERMINAL_PROMPT: "0",
		GIT_CONFIG_COUNT: "1",
		GIT_CONFIG_KEY_0: "core.fsmonitor",
		GIT_CONFIG_VALUE_0: "false",
	};
}

/** How a remote is reached stays the operator's word. */
function isAboutRepository(key: string): boolean {
	return key.startsWith("GIT_") && !/^GIT_(SSH|ASKPASS$|SSL_|HTTP_)/.test(key);
}
