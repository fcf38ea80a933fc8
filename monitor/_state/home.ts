/** The three places a program of ours needs to know (contract 00 R2): the root it serves, its state dir, and its own checkout. */
import type { Files } from "../_sys/doors.ts";
import { PLACEHOLDER_ROOT, primaryRoot, stateDirOf } from "./state-dir.ts";

export interface Home {
	/** State, reports, work and config live here: `NEXUS_ROOT`. */
	readonly root: string;
	readonly stateDir: string;
	/** The checkout that holds the programs. */
	readonly codeRoot: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Root: `NEXUS_ROOT`, else the config's `nexus.root` (the template's placeholder counts as unset), else the checkout,
 * or the primary one when this is a worker's clone. State dir: `NEXUS_STATE_DIR`, else below the root. Real paths where
 * they resolve; the current directory never matters.
 */
export function resolveHome(
	env: Env,
	configRoot: string | null,
	codeRoot: string,
	files: Files,
): Home {
	const real = (path: string) => files.realpath(path) ?? path;
	const configured = configRoot === PLACEHOLDER_ROOT ? null : configRoot;
	const root = real(
		env.NEXUS_ROOT || configured || primaryRoot(codeRoot, files) || codeRoot,
	);
	return {
		root,
		stateDir: real(env.NEXUS_STATE_DIR || stateDirOf(root)),
		codeRoot,
	};
}
