/** Carries out the sandbox gate for launcher and entry: says what there is to say, remembers the flag (contract 01 §17). */
import {
	noSandboxAccepted,
	noSandboxAcceptedPath,
	writeNoSandboxAccepted,
} from "../_state/no-sandbox-accepted.ts";
import type { Doors } from "../_sys/doors.ts";
import { sandboxGate, sandboxText } from "./sandbox-gate.ts";

/** False = refused. `flag`: `--i-accept-no-sandbox`; its marker lets restarts in the night inherit the choice. */
export function passSandboxGate(
	doors: Pick<Doors, "files" | "clock" | "log" | "proc">,
	stateDir: string,
	flag: boolean,
	context: string,
): boolean {
	const { files, proc, log } = doors;
	const marker = noSandboxAccepted(files, stateDir);
	const verdict = sandboxGate(proc.env, marker, flag);
	const text = sandboxText(verdict, noSandboxAcceptedPath(stateDir));
	if (text !== null) log.warn(text);
	if (verdict.kind === "accepted" && verdict.by === "flag" && !marker) {
		const written = writeNoSandboxAccepted(files, stateDir, {
			acceptedAt: doors.clock.iso(),
			user: proc.env.USER || proc.env.LOGNAME || `uid ${proc.uid}`,
			host: proc.hostname,
			context,
		});
		// A watcher that starts below, or in the night, would refuse.
		if (written.kind !== "ok")
			log.warn(`that could not be remembered: ${written.reason}`);
	}
	return verdict.kind !== "refused";
}
