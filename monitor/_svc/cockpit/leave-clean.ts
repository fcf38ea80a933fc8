/** Every way out of the cockpit leaves the terminal as it was found (contract 06 §7.3). */
import type { ProcessEvents } from "../../_sys/process-events.ts";
import type { Terminal } from "../../_sys/terminal.ts";

const ENDED_BY_SIGNAL = 130;

/** `end` is told the exit code; `isAway`: a log has the screen, and Ctrl-C ends the log alone. */
export function leaveClean(
	terminal: Terminal,
	events: ProcessEvents,
	on: {
		readonly end: (exit: number) => void;
		readonly isAway: () => boolean;
		readonly warn: (line: string) => void;
	},
): void {
	events.onExit(terminal.leave);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
		events.onSignal(signal, () => {
			if (signal !== "SIGINT" || !on.isAway()) on.end(ENDED_BY_SIGNAL);
		});
	const bug = (error: unknown) => {
		terminal.leave();
		on.warn(`the cockpit failed: ${String(error)}`);
		events.exit(1);
	};
	events.onUncaught(bug);
	events.onStrayRejection(bug);
}
