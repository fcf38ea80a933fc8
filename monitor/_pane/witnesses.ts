/** Everything that is known of one pane at one moment: the input of `classify`. Types and small readings. */
import type { ScreenFacts } from "./facts.ts";
import type { HeartbeatWitness } from "./heartbeat.ts";
import type { Answer3, BackgroundShells } from "./process.ts";
import type { SessionWitness } from "./session.ts";
import type { StampWitness } from "./stamp.ts";

export type WitnessName =
	| "process"
	| "session"
	| "heartbeat"
	| "stamp"
	| "screen";

/** The process tree under the pane. */
export type ProcessWitness =
	/** A fixture without a pid. */
	| { readonly kind: "none" }
	/** A fixture whose session file counts as that of a live process. */
	| { readonly kind: "assumed-live" }
	/** tmux named no pid. */
	| { readonly kind: "no-pid" }
	| {
			readonly kind: "seen";
			readonly pid: number;
			readonly live: Answer3;
			readonly claudePid: number | null;
			/** Its claude stands still (SIGSTOP, a debugger): the screen is old, and what is typed waits. */
			readonly isStopped: boolean;
			readonly exists: boolean;
			readonly hasDescendant: boolean;
			readonly unidentified: boolean;
			/** The process table does not show a process that must exist. */
			readonly blind: boolean;
			/** Age of the pane's own process in seconds; null when it cannot be told. */
			readonly ageSeconds: number | null;
	  };

export type CaptureWitness =
	| { readonly kind: "failed"; readonly why: string }
	/** Captured, and not one character on it. */
	| { readonly kind: "blank" }
	| { readonly kind: "ok"; readonly facts: ScreenFacts };

export interface Witnesses {
	/** Epoch seconds. */
	readonly now: number;
	/** tmux says that the pane's program has ended (`remain-on-exit`). */
	readonly paneDead: boolean;
	readonly process: ProcessWitness;
	readonly shells: BackgroundShells;
	readonly session: SessionWitness;
	readonly heartbeat: HeartbeatWitness;
	readonly stamp: StampWitness;
	readonly capture: CaptureWitness;
	/** Seconds for which a pane without claude may still be starting; 0 = not at all. */
	readonly bootGraceSeconds: number;
}

/** Null when the pane could not be captured. */
export function factsOf(w: Witnesses): ScreenFacts | null {
	return w.capture.kind === "ok" ? w.capture.facts : null;
}

/** `unknown` wherever the process table could not say. */
export function liveClaude(w: Witnesses): Answer3 {
	if (w.process.kind === "seen") return w.process.live;
	return w.process.kind === "assumed-live" ? "yes" : "unknown";
}

/** By SIGSTOP or a debugger; false where nobody could look. */
export function isStopped({ process }: Witnesses): boolean {
	return process.kind === "seen" && process.isStopped;
}

/** A heartbeat counts only when the session file makes no statement. */
export function heartbeatSays(w: Witnesses): HeartbeatWitness["says"] {
	return w.session.says === null ? w.heartbeat.says : null;
}
