/** Ringing for the operator: `sandbox-notify <text>`, an external command that need not exist (contract 06 §15). */
import type { Proc } from "./doors.ts";
import { programArgv } from "./names.ts";

/** Below the code root: holds a `sandbox-notify` for the front of a worker's PATH, which drops idle workers' rings. */
export const NOTIFY_WRAPPER_DIR = "monitor/notifywrap";

const LIMIT_MS = 10_000;

/** Absence and failure are ignored: a bell must never stop the work that rings it. */
export async function bell(
	proc: Pick<Proc, "which" | "exec">,
	text: string,
): Promise<void> {
	const program = proc.which("sandbox-notify");
	if (program === null) return;
	await proc.exec([program, text], { timeoutMs: LIMIT_MS });
}

/** A notice tries its channels one after the other. */
const NOTICE_LIMIT_MS = 60_000;

/**
 * What ends the night's work unless a person comes: the bell, and a notice to wherever the operator is reached.
 * As `bell`, it never fails; without a channel nothing is sent.
 */
export async function alarm(
	proc: Pick<Proc, "which" | "exec" | "execPath">,
	text: string,
): Promise<void> {
	const words = ["nexus", text, "--priority", "emergency", "--quiet"];
	await Promise.all([
		bell(proc, text),
		proc.exec(programArgv(proc.execPath, "notify", words), {
			timeoutMs: NOTICE_LIMIT_MS,
		}),
	]);
}
