/** Runs the launcher for a verb, with its words on our own streams. */
import type { Settings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";
import { programArgv } from "../_sys/names.ts";

/** The launcher's exit code (contract 01 §17); 1 when it could not be run at all. */
export async function runLauncher(
	{ proc, log }: Pick<Doors, "proc" | "log">,
	{ home, config }: Settings,
	mode: "--ensure" | "--replace",
): Promise<number> {
	const args = [mode, "--target", config["monitor.target_window"]];
	const rc = await proc.foreground(
		programArgv(proc.execPath, "launcher", args, home.codeRoot),
	);
	if (rc === null) log.warn("the launcher could not be run");
	return rc ?? 1;
}
