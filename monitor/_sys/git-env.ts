/** The environment of a git that only looks. */

/** What git tells its hooks, of one repository; with these any git, in whatever folder, works on that one. */
export const REPOSITORY_VARIABLES = [
	"GIT_DIR",
	"GIT_WORK_TREE",
	"GIT_INDEX_FILE",
	"GIT_COMMON_DIR",
	"GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_NAMESPACE",
	"GIT_PREFIX",
] as const;

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
