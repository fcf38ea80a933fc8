/** What becomes of one service that is to be up (contract 06 §5.3). Pure. */
import type { SupervisorState } from "./supervisor.ts";

/** What is known before anything is launched. */
export interface ServiceFacts {
	readonly healthy: boolean;
	readonly supervisor: SupervisorState;
	/** Processes of ours that look like the supervisor, looked for because the record proves nothing; 0: none, or not looked. */
	readonly lookalikes: number;
	/** A tmux window of its name. */
	readonly window: "present" | "absent";
	readonly workdir: "there" | "missing";
	readonly dryRun: boolean;
}

/** The words that are printed. `launch` alone asks for something to be done. */
export type ServiceDecision =
	| "healthy"
	| "healthy-unsupervised"
	| "supervisor-alive"
	| "supervisor-unknown"
	| "window-present"
	| "workdir-missing"
	| "dry-run-would-launch"
	| "launch";

/** What became of it. */
export type ServiceOutcome =
	| Exclude<ServiceDecision, "launch">
	| "relaunched"
	| "launch-failed";

/** First match. A healthy service is never launched: a second copy would fight for its port. */
export function decideService(f: ServiceFacts): ServiceDecision {
	const { supervisor } = f;
	if (f.healthy)
		return supervisor.kind === "stale" ? "healthy-unsupervised" : "healthy";
	if (supervisor.kind === "alive") return "supervisor-alive";
	if (f.lookalikes === 1) return "supervisor-alive";
	// Could not look, or could not tell which, is no licence to start another one.
	if (supervisor.kind === "unknown" || f.lookalikes > 1)
		return "supervisor-unknown";
	if (f.window === "present") return "window-present";
	if (f.workdir === "missing") return "workdir-missing";
	return f.dryRun ? "dry-run-would-launch" : "launch";
}

/** Is what was asked for the case now (`svc start`, contract 06 §6)? */
export function isWell(outcome: ServiceOutcome): boolean {
	return (
		outcome === "healthy" ||
		outcome === "relaunched" ||
		outcome === "supervisor-alive" ||
		outcome === "window-present"
	);
}
