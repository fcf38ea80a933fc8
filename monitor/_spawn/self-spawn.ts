/** A worker must not choose its own reviewer (contract 08 §8.1, exit 20). Pure. */
import type { SkepticRecord } from "../_state/window-provenance.ts";
import type { Refusal } from "./args.ts";

export type SelfSpawn =
	| { readonly kind: "none" }
	/** Somebody took the responsibility; it goes on record. */
	| {
			readonly kind: "overridden";
			readonly caller: string;
			readonly reason: string;
	  }
	| Refusal;

/** The orchestrator has no `NEXUS_WORKER_WINDOW`. */
export function judgeSelfSpawn(
	skeptic: SkepticRecord,
	env: Readonly<Record<string, string | undefined>>,
): SelfSpawn {
	const caller = env.NEXUS_WORKER_WINDOW ?? "";
	const isReviewed = caller === skeptic.target || caller === skeptic.orig;
	if (!skeptic.role || caller === "" || !isReviewed) return { kind: "none" };
	const reason = env.NEXUS_SKEPTIC_SELF_SPAWN_REASON?.trim() ?? "";
	if (env.NEXUS_SKEPTIC_SELF_SPAWN === "1" && reason !== "")
		return { kind: "overridden", caller, reason };
	return {
		kind: "refused",
		rc: 20,
		message: `window ${caller} is under review and must not start its own reviewer: ask the orchestrator (override: NEXUS_SKEPTIC_SELF_SPAWN=1 and NEXUS_SKEPTIC_SELF_SPAWN_REASON)`,
	};
}
