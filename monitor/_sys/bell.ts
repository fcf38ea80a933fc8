/** Ringing for the operator: `sandbox-notify <text>`, an external command that need not exist (contract 06 §15). */
import type { Proc } from "./doors.ts";

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
