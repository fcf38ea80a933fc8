/** What the verbs of `async-run` share (contract 08 §4.2). */
import type { RunLook } from "../_state/async-run-look.ts";
import type { Doors } from "../_sys/doors.ts";

export interface AsyncRunTool {
	readonly doors: Pick<Doors, "files" | "clock" | "proc" | "random">;
	/** Times locks and waits; never frozen. */
	readonly timer: Doors["clock"];
	readonly stateDir: string;
	/** The worker's window, or null. */
	readonly window: string | null;
	/** `CLAUDE_CODE_SESSION_ID`, or empty. */
	readonly session: string;
	/** argv that starts this program anew, as the runner of a folder. */
	readonly runnerArgv: (dir: string) => readonly string[];
	readonly cwd: string;
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
}

export const RC = {
	ok: 0,
	usage: 2,
	launchFailed: 3,
	/** Of `--cancel`. */
	stillAlive: 4,
	noToken: 5,
	otherOwner: 6,
	ownerUnknown: 7,
	unverifiable: 8,
	duplicate: 9,
} as const;
export type Rc = (typeof RC)[keyof typeof RC];

/** The two doors that a look needs. */
export function runLook({ doors }: AsyncRunTool): RunLook {
	return { files: doors.files, statOf: (pid) => doors.proc.stat(pid) };
}
