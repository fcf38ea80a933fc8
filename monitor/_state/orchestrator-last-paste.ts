/** `orchestrator-last-paste.ts`: epoch of the last emit that the orchestrator took; liveness waits for its answer (contract 04 §6.2). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";

function orchestratorLastPastePath(stateDir: string): string {
	return join(stateDir, "orchestrator-last-paste.ts");
}

/** Epoch seconds; `none`: never pasted, `invalid`: it cannot be told. */
export function peekLastPaste(
	files: Files,
	stateDir: string,
): number | "none" | "invalid" {
	const read = files.read(orchestratorLastPastePath(stateDir));
	if (read.kind === "absent") return "none";
	const epoch = read.kind === "ok" ? digits(read.text.trim()) : null;
	return epoch ?? "invalid";
}

/** `epoch` in seconds. */
export function writeLastPaste(
	files: Files,
	stateDir: string,
	epoch: number,
): WriteResult {
	return files.writeAtomic(orchestratorLastPastePath(stateDir), `${epoch}\n`);
}
