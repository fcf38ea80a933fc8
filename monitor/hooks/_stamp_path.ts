/**
 * Whose window a hook writes for (contract 08 §1.2). Never a guess by folder: a background session has inherited a
 * stranger's pane and environment, and a stamp in the wrong window suspends a worker that is well.
 */
import type { PaneRows } from "../_sys/doors.ts";
import type { HookCall } from "./_io.ts";

export interface StampPlace {
	readonly stateDir: string;
	readonly window: string;
}

type Env = HookCall["env"];
/** Variables that may name the window, in order. */
export const WORKER = ["NEXUS_WORKER_WINDOW"] as const;
export const WORKER_OR_ORCHESTRATOR = [
	...WORKER,
	"NEXUS_ORCHESTRATOR_WINDOW",
] as const;
export type WindowNames = typeof WORKER | typeof WORKER_OR_ORCHESTRATOR;

/** The window that the environment names, or null. */
export function envWindow(env: Env, names: WindowNames): string | null {
	if (env.CLAUDE_JOB_DIR) return null;
	const named = names.map((name) => env[name]).find(Boolean);
	return named !== undefined && isFileName(named) ? named : null;
}

/** As `envWindow`; without a variable the window of the pane that runs us, proven by tmux's own rows. */
export function stampWindow(
	env: Env,
	rows: PaneRows,
	names: WindowNames,
): string | null {
	if (env.CLAUDE_JOB_DIR) return null;
	if (names.some((name) => env[name])) return envWindow(env, names);
	if (!env.TMUX_PANE || rows.kind !== "ok") return null;
	const row = rows.rows.find((r) => r.paneId === env.TMUX_PANE);
	return row !== undefined && isFileName(row.windowName)
		? row.windowName
		: null;
}

/** State dir and window, or null: then nothing is written. tmux is asked only when no variable names the window. */
export async function stampPlace(
	{ env, stateDir, tmux }: Pick<HookCall, "env" | "stateDir" | "tmux">,
	names: WindowNames,
): Promise<StampPlace | null> {
	if (stateDir === null || env.CLAUDE_JOB_DIR) return null;
	const needsRows = !names.some((name) => env[name]) && env.TMUX_PANE;
	const rows: PaneRows = needsRows
		? await (await tmux()).panes()
		: { kind: "no-tmux" };
	const window = stampWindow(env, rows, names);
	return window === null ? null : { stateDir, window };
}

/** 255 bytes, less what the endings of the files take. */
const LONGEST_NAME = 200;

/** Like `isFileName` of the state files, and of a length and plainness that a name from outside must have. */
function isFileName(window: string): boolean {
	return (
		/^(?!\.{1,2}$)[^/\0-\x1f\x7f]+$/.test(window) &&
		Buffer.byteLength(window) <= LONGEST_NAME
	);
}
