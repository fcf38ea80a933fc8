/** May the cockpit start from here, and what becomes of the orchestrator's session (contract 01 §18)? Pure. */
import type { PaneRow } from "../../_sys/doors.ts";

export interface EntryFacts {
	readonly continueFlag: boolean;
	/** `$TMUX`. */
	readonly inTmux: boolean;
	readonly sandboxPassed: boolean;
	/** `$TMUX_PANE`. */
	readonly paneId: string | undefined;
	/** Null when tmux could not be asked. */
	readonly rows: readonly PaneRow[] | null;
	readonly target: string;
	/** The pin, when it is a session id. */
	readonly pin: string | null;
	readonly pinFileThere: boolean;
	/** Does the pin's transcript exist? Null = could not look. */
	readonly pinResolves: boolean | null;
}
export type EntryPlan =
	| { readonly kind: "refuse"; readonly exit: 2; readonly line: string }
	| {
			readonly kind: "go";
			readonly windowId: string;
			/** Its name before it shows the cockpit. */
			readonly windowName: string;
			/** Null: a live orchestrator stands, and neither pin nor intent is touched. */
			readonly intent: "fresh" | "continue" | null;
			readonly archivePin: boolean;
			readonly lines: readonly string[];
	  };

/** A refusal carries its line. Beside a live orchestrator its session is neither archived nor chosen. */
export function decideEntry(f: EntryFacts): EntryPlan {
	if (!f.inTmux)
		return refuse(
			"not inside tmux: start tmux, then run this in a window of it",
		);
	if (!f.sandboxPassed) return refuse("not started: no sandbox");
	if (f.rows === null) return refuse("tmux does not answer");
	const own = f.rows.find((r) => r.paneId === f.paneId);
	if (own === undefined)
		return refuse("cannot tell which tmux window this is ($TMUX_PANE)");
	if (f.target === "") return refuse("the target window's name is empty");
	if (own.windowName === f.target)
		return refuse(
			`this is the orchestrator's window ('${f.target}'): run it in another one`,
		);
	if (isLive(f.rows, f.target))
		return {
			kind: "go",
			windowId: own.windowId,
			windowName: own.windowName,
			intent: null,
			archivePin: false,
			lines: f.continueFlag
				? ["an orchestrator is running; --continue has no effect"]
				: [],
		};
	return {
		kind: "go",
		windowId: own.windowId,
		windowName: own.windowName,
		intent: f.continueFlag ? "continue" : "fresh",
		archivePin: !f.continueFlag && f.pinFileThere,
		lines: f.continueFlag ? [sayPin(f)] : [],
	};
}

/** A window whose panes are all dead is not live; one that cannot be judged is. */
function isLive(rows: readonly PaneRow[], target: string): boolean {
	return rows.some((r) => r.windowName === target && r.paneDead !== "1");
}

function sayPin(f: EntryFacts): string {
	if (f.pin === null)
		return "--continue: no session is recorded; the orchestrator will start fresh";
	if (f.pinResolves === null)
		return `--continue: could not look for the transcript of session ${f.pin}`;
	return f.pinResolves
		? `--continue: session ${f.pin} will be resumed`
		: `--continue: session ${f.pin} is recorded, but its transcript is gone; the orchestrator will start fresh`;
}

function refuse(line: string): EntryPlan {
	return { kind: "refuse", exit: 2, line };
}
