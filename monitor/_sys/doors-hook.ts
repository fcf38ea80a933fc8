/** A hook's door: less than a program has, because it is opened at every tool call (contract 08 §1.1). Types only. */
import type { Clock } from "./doors.ts";
import type { EverydayFiles } from "./doors-files.ts";
import type { Tmux } from "./doors-tmux.ts";

export interface HookDoors {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Words after the script. */
	readonly args: readonly string[];
	readonly files: EverydayFiles;
	/** Dates what is written; `NEXUS_TEST_NOW` freezes it. */
	readonly clock: Clock;
	/** Limits and short waits: never frozen, because Claude Code waits for the hook. */
	readonly timer: Clock;
	stdin(): ReadableStream<Uint8Array>;
	/** Opened by the few that need it: it costs as much as all the rest. */
	tmux(): Promise<Tmux>;
	/** One line to standard output, which Claude Code reads. */
	print(line: string): void;
	/** One line to standard error. */
	warn(line: string): void;
	exit(code: number): never;
}
