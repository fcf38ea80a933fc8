/** What every step of a recovery is given. */
import type { Settings } from "../../_state/settings.ts";
import type { Doors } from "../../_sys/doors.ts";
import { type ProgramName, programArgv } from "../../_sys/names.ts";

export interface RecoverContext {
	readonly doors: Doors;
	readonly settings: Settings;
	readonly dryRun: boolean;
	/** Decides as if nothing had been stopped with the whole stack: for a dry run of `up`, which takes that back. */
	readonly stopsTakenBack: boolean;
}

/** The exit code of one of our programs, its words in our log; null when it did not run to its end. `standIn`: a test's program in its place. */
export async function runProgram(
	{ doors, settings }: RecoverContext,
	name: ProgramName,
	args: readonly string[],
	{ limitMs, standIn }: { readonly limitMs: number; readonly standIn?: string },
): Promise<number | null> {
	const { proc, log } = doors;
	const argv = standIn
		? [standIn, ...args]
		: programArgv(proc.execPath, name, args, settings.home.codeRoot);
	const done = await proc.exec(argv, { timeoutMs: limitMs });
	if (done.kind !== "exited") {
		log.warn(`${argv.join(" ")}: ${done.kind}`);
		return null;
	}
	const said = `${done.stderr}${done.stdout}`.trimEnd();
	if (said !== "") log.info(said);
	return done.rc;
}
