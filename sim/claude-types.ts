/** A simulated session of Claude Code, as the rest of the simulation sees it. Types only. */

import type { Hook } from "../monitor/hooks/_io.ts";
import type { FakeDoors } from "../tests/fakes/doors.ts";
import type { FakeWindow } from "../tests/fakes/tmux-model.ts";
import type { Dialog } from "../tests/unstick/fake-claude.ts";
import type { MachineTime } from "./machine-time.ts";

export interface HookRun {
	readonly hook: Hook;
	readonly args?: readonly string[];
}
/** Which of our hooks this session runs at which event, as its settings file says. */
export interface Wiring {
	readonly env: Readonly<Record<string, string>>;
	readonly prompt: readonly HookRun[];
	readonly tool: readonly HookRun[];
	readonly stop: readonly HookRun[];
	readonly failure: readonly HookRun[];
}

export interface SimClaude {
	readonly window: FakeWindow;
	readonly sessionId: string;
	readonly pid: number;
	/** Texts that were sent, in order, with their monotonic time (ms). */
	readonly sent: readonly { readonly text: string; readonly atMs: number }[];
	readonly wrongs: readonly string[];
	readonly isAlive: boolean;
	readonly dialog: Dialog | null;
	readonly box: string;
	/** Since when a turn goes on, a dialog is open or a draft stands there, the oldest of them (steady ms); null: nobody needs it. */
	readonly neededSinceMs: number | null;
	/** Would take what it is sent: no turn without end, no dialog, no limit. */
	readonly answers: boolean;
	/** The watcher has seen its screen as it is now. */
	looked(): void;
	/** The watcher sends it a key or a paste. */
	aimed(): void;
	/** A person types at the end of the box, sends it, or empties it. */
	types(text: string): void;
	sends(): void;
	erases(): void;
	asks(dialog: Dialog | null): void;
	/** Begins a turn without anybody's words. */
	works(ms: number): void;
	/** Turns never end from now on, or do again. */
	hang(isHung: boolean): void;
	/** Every turn fails from now on with a limit that resets then, until so many ms have passed outside this machine. */
	hitsLimit(resets: string, ms: number): void;
	/** Its turn, or the next one, ends with an error of the API. */
	crashes(): void;
	/** The program ends: exit, crash. */
	exits(): void;
	/** A line above the box. */
	prints(line: string): void;
}

export interface ClaudeParts {
	readonly doors: FakeDoors;
	readonly stateDir: string;
	readonly sessionId: string;
	readonly pid: number;
	readonly wiring: Wiring;
	readonly turnMs: () => number;
	readonly time: MachineTime;
	/** Text of a turn that ended. */
	readonly onTurn: (text: string) => void;
	/** The key that may answer this dialog; null: none. */
	readonly mayPress: (dialog: Dialog, key: string) => boolean;
}
