/** One unstick pass: what its cases share (contract 04 §8.1). */
import type { TextDeps } from "../../_delivery/deliver-text.ts";
import {
	appendUnstickNote,
	type UnstickNote,
} from "../../_state/unstick-log.ts";
import type { PaneRow } from "../../_sys/doors.ts";
import type { TaskRun, WatcherContext } from "../context.ts";

/** A pane as this pass saw it. */
export interface SeenPane {
	readonly row: PaneRow;
	/** Name of its window. */
	readonly window: string;
	/** The window that gets the reports. */
	readonly isTarget: boolean;
	readonly claudePid: number | null;
	/** The live dialog by the pane reader. */
	readonly overlay: string | null;
	/** Reset words of the limit notice on its screen; null without one. */
	readonly resetToken: string | null;
	/** What is visible, as plain rows. */
	readonly screen: readonly string[];
	/** The same with some rows that scrolled away above. */
	readonly rows: readonly string[];
}

/** What one watcher process remembers between passes; `told`: what it has said of each window. */
export interface UnstickMemory {
	readonly told: Map<string, string>;
	/** Waits whose dialogs were not painted in an earlier pass. */
	unpainted: ReadonlySet<string>;
}

export interface UnstickPass {
	readonly run: TaskRun;
	readonly ctx: Pick<
		WatcherContext,
		"root" | "stateDir" | "target" | "config" | "scheduler"
	>;
	readonly hands: TextDeps;
	readonly memory: UnstickMemory;
	/** Epoch seconds. */
	readonly now: number;
}

/** How long a key of ours waits for somebody else's paste; the next pass comes soon. */
export const LOCK_MS = 500;
/** A dialog that was out of sight for longer is another one. */
export const GAP_SECONDS = 90;

/** One line in `watcher-unstick.log`. */
export function note({ run, ctx }: UnstickPass, line: UnstickNote): void {
	appendUnstickNote(run.doors, ctx.stateDir, line);
}

/** Says the same of the same window and case once, until something else was said of it. */
export function noteOnce(
	pass: UnstickPass,
	line: UnstickNote,
	fingerprint: string,
): void {
	const subject = subjectOf(line);
	const said = `${line.action} ${fingerprint}`;
	if (pass.memory.told.get(subject) === said) return;
	pass.memory.told.set(subject, said);
	note(pass, line);
}

/** What `noteOnce` remembers by. */
export function subjectOf(line: Pick<UnstickNote, "window" | "case">): string {
	return `${line.window ?? ""}\t${line.case}`;
}
