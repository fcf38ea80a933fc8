/** Has the runtime begun, and does a first-start dialog stand in its way? (contract 09 §6.3). */
import type { PaneRow, ProcStat } from "../../_sys/doors.ts";
import { isTrustGate } from "../permission.ts";
import type { LocalContext } from "./context.ts";

export interface Begun {
	readonly pane: PaneRow;
	readonly process: ProcStat;
}

const LIMIT_MS = 20_000;
const EVERY_MS = 250;
/** A dialog is drawn within moments; a screen that shows neither dialog nor box is not waited for much longer. */
const DIALOG_MS = 8000;
const SHELLS: ReadonlySet<string> = new Set([
	"sh",
	"dash",
	"bash",
	"zsh",
	"fish",
	"ash",
	"busybox",
	"env",
]);

/** Null: after 20 s there was still nothing but a shell. */
export async function awaitRuntime(
	{ doors }: LocalContext,
	paneId: string,
): Promise<Begun | null> {
	const { clock, tmux, proc } = doors;
	const end = clock.monoMs() + LIMIT_MS;
	for (;;) {
		const rows = await tmux.panes();
		const pane =
			rows.kind === "ok"
				? rows.rows.find((row) => row.paneId === paneId)
				: undefined;
		const table = proc.table();
		const process =
			table.kind === "ok" && pane?.panePid
				? runtimeBelow(table.value, pane.panePid)
				: null;
		if (pane !== undefined && process !== null) return { pane, process };
		if (clock.monoMs() >= end) return null;
		await clock.sleep(EVERY_MS);
	}
}

/** One with a wrong flag has ended by now, and a start that was told as done would watch nobody. Doubt is life. */
export async function outlivesItsStart(
	{ doors }: LocalContext,
	{ process }: Begun,
): Promise<boolean> {
	await doors.clock.sleep(EVERY_MS);
	const now = doors.proc.stat(process.pid);
	return (
		now.kind === "unknown" ||
		(now.kind === "ok" &&
			now.value.startTicks === process.startTicks &&
			now.value.state !== "Z")
	);
}

/** The first process below the launcher's shell that is no shell. Pure. */
function runtimeBelow(
	table: readonly ProcStat[],
	shellPid: number,
): ProcStat | null {
	const children = table.filter(({ ppid }) => ppid === shellPid);
	for (const child of children)
		if (child.state !== "Z" && !SHELLS.has(child.comm)) return child;
	for (const child of children) {
		const below = runtimeBelow(table, child.pid);
		if (below !== null) return below;
	}
	return null;
}

/** The name of the dialog; null: none, or the screen says nothing in time. No key is pressed either way. */
export async function startDialog(
	{ doors, hands }: LocalContext,
	pane: PaneRow,
	runtime: string,
): Promise<string | null> {
	const { clock, tmux } = doors;
	const end = clock.monoMs() + DIALOG_MS;
	while (runtime === "claude" && clock.monoMs() < end) {
		const seen = await hands.look(pane);
		if (seen.kind === "ok") {
			const { dialog, composer } = seen.look;
			if (dialog?.kind === "start")
				return dialog.overlay === "workspace-trust" ? "trust" : dialog.overlay;
			if (composer !== null) return null;
		}
		await clock.sleep(EVERY_MS);
	}
	const shot = await tmux.capture(pane.paneId, { escapes: false });
	const shown = shot.kind === "ok" ? shot.stdout : "";
	return isTrustGate(runtime, shown) ? "trust" : null;
}
