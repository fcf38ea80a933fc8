/** What bootstrap does about the watcher it finds (contract 01 §19.3, 07 §7). Pure. */
import type { Verdict } from "../../_liveness/verdict.ts";

export interface BootstrapFacts {
	/** Confirmed by a second look where it rests on ages. */
	readonly verdict: Verdict;
	readonly moved: boolean;
	readonly stopRequested: "yes" | "no" | "unknown";
	readonly configUsable: boolean;
}
export type BootstrapPlan =
	| { readonly kind: "leave"; readonly line: string }
	| { readonly kind: "refuse"; readonly line: string }
	| { readonly kind: "launch"; readonly reason: string };

/**
 * In doubt the watcher is left alone: it is launched only when it is down, did not move at the second look, and
 * nobody stopped it on purpose.
 */
export function decideBootstrap(f: BootstrapFacts): BootstrapPlan {
	const { verdict } = f;
	if (verdict.bucket === 0)
		return leave(`heartbeat OK (${verdict.heartbeatAge ?? 0}s)`);
	if (f.moved) return leave("the watcher moved at the second look; left alone");
	if (verdict.state !== "DOWN")
		return leave(`watcher ${verdict.state}: ${verdict.reason}; left alone`);
	if (!f.configUsable)
		return {
			kind: "refuse",
			line: "the watcher is down and the configuration cannot be used; nothing was started",
		};
	// An operator's stop must outlast the orchestrator's next turn.
	if (f.stopRequested !== "no")
		return leave(
			f.stopRequested === "yes"
				? "the watcher was stopped on purpose; left so"
				: "could not see whether the watcher was stopped on purpose; left so",
		);
	return { kind: "launch", reason: verdict.reason };
}

function leave(line: string): BootstrapPlan {
	return { kind: "leave", line };
}
