/** The command that has the watcher replaced by a new one, from within or beside it (contract 01 §14, 06 §9.4). */
import type { Proc, SpawnDetached } from "./doors.ts";
import { programArgv } from "./names.ts";

export interface ReplacePlace {
	readonly root: string;
	readonly stateDir: string;
	readonly codeRoot: string;
	/** Name of the target window. */
	readonly target: string;
}

/** Detached: it outlives the watcher that starts it. `caller` is noted by the launcher. */
export function replaceWatcher(
	{ execPath, env }: Pick<Proc, "execPath" | "env">,
	place: ReplacePlace,
	{ caller, log }: { readonly caller: string; readonly log: string },
): SpawnDetached {
	const inherited = Object.entries(env).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, value] as const],
	);
	return {
		argv: programArgv(
			execPath,
			"launcher",
			["--replace", "--target", place.target],
			place.codeRoot,
		),
		env: {
			...Object.fromEntries(inherited),
			NEXUS_ROOT: place.root,
			NEXUS_STATE_DIR: place.stateDir,
			WATCHER_LAUNCH_CALLER: caller,
		},
		log,
	};
}
