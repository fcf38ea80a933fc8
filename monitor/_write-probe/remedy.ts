/** What to do about a folder that takes no file. Pure. */

type Env = Readonly<Record<string, string | undefined>>;

/** In a sandbox the folder has to be granted from outside; elsewhere it is a matter of permissions. */
export function remedy(env: Env, dir: string): readonly string[] {
	const project = env.SANDBOX_PROJECT_DIR;
	if (env.SANDBOX_ACTIVE === "1" && project)
		return [
			`this is a sandbox around ${project}: ${dir} is outside of what it may write.`,
			`Grant it on the host, in the sandbox's configuration: add ${dir} to the writable paths, and start the sandbox anew;`,
			"or send the worker to a folder below the project.",
		];
	return [
		`look at the owner and the mode of ${dir} (ls -ld), at free space (df) and at whether its file system is mounted read-only.`,
	];
}
