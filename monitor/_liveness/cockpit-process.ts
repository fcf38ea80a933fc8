/** Another cockpit of this fleet, and the pane that holds it (contract 06 §7.4). */
import { stateDirFromEnv, stateDirOf } from "../_state/state-dir.ts";
import type { PaneRow, Proc } from "../_sys/doors.ts";
import { programPath } from "../_sys/names.ts";
import { ancestry } from "./own-window.ts";
import { scriptOf } from "./watcher-process.ts";

export interface OtherCockpit {
	readonly pid: number;
	readonly window: string;
}

type Look = Pick<Proc, "pid" | "env" | "stat" | "table" | "argv" | "environ">;

/** Another cockpit of the same state, in a pane of this tmux server; null: none, or nobody can tell. */
export function otherCockpit(
	proc: Look,
	rows: readonly PaneRow[],
	codeRoot: string,
): OtherCockpit | null {
	const table = proc.table();
	if (table.kind !== "ok") return null;
	for (const { pid } of table.value) {
		if (pid === proc.pid || !isCockpit(proc, pid, codeRoot)) continue;
		const above = ancestry(proc, pid);
		const row = rows.find((r) => above.includes(r.panePid ?? -1));
		if (row !== undefined) return { pid, window: row.windowName };
	}
	return null;
}

/** `svc.ts` of this checkout without a verb, for the same state dir. */
function isCockpit(proc: Look, pid: number, codeRoot: string): boolean {
	const argv = proc.argv(pid);
	if (argv.kind !== "ok" || argv.value.length === 0) return false;
	const script = scriptOf(argv.value);
	if (script !== programPath("svc", codeRoot)) return false;
	if (argv.value.at(-1) !== script) return false;
	const env = proc.environ(pid);
	if (env.kind !== "ok") return false;
	return stateOf(env.value, codeRoot) === stateOf(proc.env, codeRoot);
}

function stateOf(env: Proc["env"], codeRoot: string): string {
	return stateDirFromEnv(env) ?? stateDirOf(codeRoot);
}
