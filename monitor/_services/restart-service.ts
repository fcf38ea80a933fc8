/** Restarts a service the way an operator would: through `svc` (contract 06 §6.2, §8.3). */
import type { Doors } from "../_sys/doors.ts";
import { programArgv } from "../_sys/names.ts";

/** Stop, check and the wait for the record have limits of their own; this is for a `svc` that hangs. */
const LIMIT_MS = 180_000;
const TIMED_OUT = 124;
const NOT_RUN = 127;

/** Exit code of `svc restart`: 75 = refused, nothing was done; null: the run was ended, nobody knows. */
export async function restartService(
	{
		doors,
		signal,
	}: { readonly doors: Pick<Doors, "proc">; readonly signal: AbortSignal },
	home: {
		readonly root: string;
		readonly stateDir: string;
		readonly codeRoot: string;
	},
	service: string,
	/** Who is to be credited, or blamed. */
	actor: "watcher" | "version-restart",
): Promise<number | null> {
	const { proc } = doors;
	const inherited = Object.entries(proc.env).filter(
		(e): e is [string, string] => e[1] !== undefined,
	);
	const ran = await proc.exec(
		programArgv(proc.execPath, "svc", ["restart", service], home.codeRoot),
		{
			timeoutMs: LIMIT_MS,
			signal,
			env: {
				...Object.fromEntries(inherited),
				NEXUS_ROOT: home.root,
				NEXUS_STATE_DIR: home.stateDir,
				SVC_RESTART_ACTOR: actor,
			},
		},
	);
	switch (ran.kind) {
		case "exited":
			return ran.rc;
		case "aborted":
			return null;
		case "timeout":
			return TIMED_OUT;
		default:
			return NOT_RUN;
	}
}
