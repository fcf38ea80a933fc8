/** The orchestrator's window: what stands in its place is closed, the new one is opened (contract 04 §14 step 3). */
import { processView, readTree } from "../../_pane/process.ts";
import type { Doors, PaneRow, ProcStat } from "../../_sys/doors.ts";
import { tmuxFailureText } from "../../_sys/tmux-lookup.ts";

type WindowDoors = Pick<Doors, "clock" | "log" | "proc" | "tmux">;

export type Opened =
	| { readonly kind: "ok"; readonly windowId: string }
	| { readonly kind: "failed"; readonly why: string };

/** Session of a server without one, as the launcher of the watcher names it. */
const OWN_SESSION = "nexus";

/**
 * Closes the windows of exactly this name and opens one that runs `launcher`. `rows` is what was listed just now. A
 * session whose only window is closed ends with it: then the new window goes to another, or to a new session.
 */
export async function replaceWindow(
	doors: WindowDoors,
	rows: readonly PaneRow[],
	at: {
		readonly name: string;
		readonly cwd: string;
		readonly launcher: string;
	},
): Promise<Opened> {
	await clearSlot(doors, rows, at.name);
	const session = sessionFor(rows, at.name);
	const made = await doors.tmux.run(
		session === null
			? {
					kind: "new-session",
					name: OWN_SESSION,
					cwd: at.cwd,
					windowName: at.name,
					command: [at.launcher],
				}
			: {
					kind: "new-window",
					session,
					name: at.name,
					cwd: at.cwd,
					command: [at.launcher],
					keepsCorpse: true,
				},
	);
	if (made.kind !== "ok") return { kind: "failed", why: tmuxFailureText(made) };
	const windowId = /^\$\d+\|(@\d+)\|%\d+$/.exec(made.stdout.trim())?.[1];
	if (windowId === undefined)
		return { kind: "failed", why: "tmux named no window" };
	await keepName(doors, windowId);
	return { kind: "ok", windowId };
}

/** A window that renames itself reads as absent. */
export async function keepName(
	{ tmux }: Pick<Doors, "tmux">,
	windowId: string,
): Promise<void> {
	for (const name of ["automatic-rename", "allow-rename"])
		await tmux.run({
			kind: "set-option",
			scope: "window",
			target: windowId,
			name,
			value: "off",
		});
}

/** Where the orchestrator was, else beside the others; null: no session outlives the closing. Pure. */
export function sessionFor(
	rows: readonly PaneRow[],
	target: string,
): string | null {
	const others = rows.filter((row) => row.windowName !== target);
	const was = rows.find((row) => row.windowName === target)?.sessionId;
	const there = others.find((row) => row.sessionId === was) ?? others[0];
	return there?.sessionId ?? null;
}

const END_MS = 5000;
const POLL_MS = 100;

/**
 * A claude that outlives its window would go on writing the transcript that the new one resumes: it gets a moment, then
 * SIGKILL. What it left running in the background is no claude, and stays.
 */
async function clearSlot(
	{ clock, log, proc, tmux }: WindowDoors,
	rows: readonly PaneRow[],
	name: string,
): Promise<void> {
	const slot = rows.filter((row) => row.windowName === name);
	const view = processView(proc);
	const claudes = slot.flatMap(({ panePid, paneDead }) =>
		view === null || panePid === null || paneDead === "1"
			? []
			: (readTree(view, panePid).claude ?? []),
	);
	for (const target of new Set(slot.map((row) => row.windowId)))
		await tmux.run({ kind: "kill-window", target });
	const end = clock.monoMs() + END_MS;
	while (claudes.some(lives) && clock.monoMs() < end)
		await clock.sleep(POLL_MS);
	for (const { pid } of claudes.filter(lives)) {
		log.warn(`respawn: claude ${pid} outlived its window and is killed`);
		proc.signal(pid, "SIGKILL");
	}

	/** The start time tells it from a stranger that got its pid. */
	function lives({ pid, startTicks }: ProcStat): boolean {
		const now = proc.stat(pid);
		return (
			now.kind === "ok" &&
			now.value.startTicks === startTicks &&
			proc.alive(pid)
		);
	}
}
