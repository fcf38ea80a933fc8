/**
 * Who brought a service back (contract 06 §8.3). From evidence alone: an operator's rescue was once told as a blip
 * that healed by itself, because nobody else was known to have done it. Pure.
 */
import type { SupervisorState } from "../../_services/supervisor.ts";
import type { RecoveredBy, Unhealthy } from "../../_state/service-incident.ts";
import type { RestartMarker } from "../../_state/service-marks.ts";

export interface RecoveryEvidence {
	readonly attempts: number;
	readonly status: Unhealthy["status"];
	readonly firstUnhealthy: number;
	readonly now: number;
	readonly intervalSeconds: number;
	readonly marker: RestartMarker | null;
	readonly supervisor: SupervisorState;
}
export interface Recovery {
	readonly by: RecoveredBy;
	/** Starts with `self-healed` when nobody had a hand in it. */
	readonly via: string;
}

/** Without evidence it is `unknown`, never a guess. */
export function attributeRecovery(e: RecoveryEvidence): Recovery {
	if (e.attempts > 0)
		return {
			by: "watcher",
			via: `auto-restart held after ${e.attempts} attempt(s)`,
		};
	const actor = freshActor(e);
	if (actor === "version-restart")
		return { by: "version-restart", via: "restarted for a newer version" };
	if (actor !== null && actor !== "watcher")
		return { by: "operator", via: `restarted by ${actor}` };
	if (e.status === "grace" && e.supervisor.kind === "alive")
		return {
			by: "supervisor",
			via: `self-healed: its supervisor (pid ${e.supervisor.pid}) brought it back`,
		};
	if (e.status === "grace" && e.supervisor.kind === "absent")
		return {
			by: "self-heal",
			via: "self-healed: it has no supervisor of ours",
		};
	return { by: "unknown", via: "cause unknown" };
}

/**
 * One interval of slack is essential: a restart stamps its marker BEFORE the downtime it causes is first seen. A stamp
 * from the future is another clock's.
 */
function freshActor(e: RecoveryEvidence): string | null {
	const { marker, intervalSeconds } = e;
	if (marker === null || marker.at <= 0) return null;
	const fresh = marker.at + intervalSeconds >= e.firstUnhealthy;
	const credible = marker.at <= e.now + intervalSeconds;
	return fresh && credible ? marker.actor : null;
}
