/** Follow up in the window that knows the matter, or start a new worker (contract 05 §13.5)? Pure; the first row that holds decides. */

export interface SpawnFacts {
	readonly pane:
		| { readonly kind: "no-tmux" }
		| { readonly kind: "could-not-look" }
		| { readonly kind: "no-window" }
		| { readonly kind: "seen"; readonly state: string };
	/** Seconds since the newest `window-retain`; null = none on record. */
	readonly retainAge: number | null | "could-not-look";
	readonly retainTtlSeconds: number;
}
export interface SpawnDecision {
	readonly decision: "continue" | "spawn" | "ambiguous";
	readonly reason: string;
	/** As printed. */
	readonly paneState: string;
	readonly rc: 0 | 1;
}

/** Ambiguous, with exit code 1, wherever nobody could look; a window that is absent means a new worker. */
export function decideSpawn(f: SpawnFacts): SpawnDecision {
	switch (f.pane.kind) {
		case "no-tmux":
			return { ...AMBIGUOUS, reason: "no-tmux", paneState: "unknown", rc: 1 };
		case "could-not-look":
			return {
				...AMBIGUOUS,
				reason: "enumeration-failed",
				paneState: "unknown",
				rc: 1,
			};
		case "no-window":
			return spawn("window-absent", "absent");
		case "seen":
			return decideByState(f.pane.state, f);
	}
}

function decideByState(state: string, f: SpawnFacts): SpawnDecision {
	switch (state) {
		case "busy":
		case "user-typing":
			return {
				...AMBIGUOUS,
				reason: "pane-mid-flight-queue-as-paste-buffer-followup",
				paneState: state,
				rc: 0,
			};
		case "blocked":
			return spawn("pane-blocked-fresh-spawn-after-triage", state);
		case "absent":
			return spawn("pane-absent-fresh-spawn", state);
		case "idle":
		case "autosuggest-only":
		case "empty":
			// Perhaps it is retained: a second worker for the matter would be one too many.
			if (f.retainAge === "could-not-look")
				return {
					...AMBIGUOUS,
					reason: "action-log-unreadable",
					paneState: state,
					rc: 1,
				};
			if (f.retainAge === null) return spawn("no-retain-on-record", state);
			if (f.retainAge > f.retainTtlSeconds)
				return spawn("retain-ttl-expired", state);
			return {
				decision: "continue",
				reason: "retained-and-idle",
				paneState: state,
				rc: 0,
			};
		default:
			return {
				...AMBIGUOUS,
				reason: "pane-state-unknown",
				paneState: state,
				rc: 0,
			};
	}
}

const AMBIGUOUS = { decision: "ambiguous" } as const;

function spawn(reason: string, paneState: string): SpawnDecision {
	return { decision: "spawn", reason, paneState, rc: 0 };
}
