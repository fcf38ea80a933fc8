/** A service whose check passes: it has recovered, or it is well, or well with nobody to supervise it (contract 06 §8.3). Pure. */
import type { SupervisorState } from "../../_services/supervisor.ts";
import type { ServiceEvent } from "../../_state/service-events.ts";
import type {
	Incident,
	Inconsistent,
	Unhealthy,
} from "../../_state/service-incident.ts";
import { ageSeconds } from "../../_sys/age.ts";
import { attributeRecovery } from "./attribution.ts";
import {
	type HealthSettings,
	nothing,
	type Observation,
	type StepResult,
} from "./machine.ts";

/** The incident becomes one that is told once. `now` in epoch seconds. */
export function recovered(
	prev: Unhealthy,
	obs: Observation,
	cfg: HealthSettings,
	now: number,
): StepResult {
	const { row } = obs;
	const recovery = attributeRecovery({
		attempts: prev.restartAttempts,
		status: prev.status,
		now,
		firstUnhealthy: prev.firstUnhealthy,
		intervalSeconds: cfg.intervalSeconds,
		marker: obs.marker,
		supervisor: obs.supervisor,
	});
	return {
		...nothing(obs),
		polls: 0,
		dropMarker: true,
		incident: {
			kind: "recovered",
			service: row.name,
			policy: row.policy,
			logfile: row.logfile,
			firstUnhealthy: prev.firstUnhealthy,
			recoveredAt: now,
			restartAttempts: prev.restartAttempts,
			recoveredBy: recovery.by,
			recoveredVia: recovery.via,
			escalated: prev.escalated,
			healthCmd: row.healthcheck,
			lastCheck: now,
		},
		events: [
			{ event: "recovered", detail: `by ${recovery.by}: ${recovery.via}` },
		],
	};
}

/** No incident is open. A healthy service is never restarted, whoever supervises it. */
export function healthy(
	prev: Incident | null,
	obs: Observation,
	cfg: HealthSettings,
	now: number,
): StepResult {
	const before = prev?.kind === "inconsistent" ? prev : null;
	const standing = before?.status === "inconsistent" ? before : null;
	const sweep =
		obs.marker !== null && now - obs.marker.at > 2 * cfg.intervalSeconds;
	const quiet = { ...nothing(obs), polls: 0, dropMarker: sweep };
	const why = unsupervised(obs.supervisor, standing !== null);
	if (why === "could-not-look") return { ...quiet, polls: obs.polls };
	// Polls count anew after a gap; what stands is not taken back by it.
	if (why !== null && obs.afterGap)
		return { ...quiet, polls: standing === null ? 0 : obs.polls };
	if (why === null)
		return standing !== null && obs.supervisor.kind === "alive"
			? {
					...quiet,
					incident: { ...standing, status: "reconciled", lastCheck: now },
					events: [
						{
							event: "inconsistent-cleared",
							detail: `supervised again, pid ${obs.supervisor.pid}`,
						},
					],
				}
			: quiet;
	const polls = obs.polls + 1;
	// Fewer are the race between a launch and its record.
	if (polls < cfg.inconsistentPolls && standing === null)
		return { ...quiet, polls };
	return {
		...quiet,
		polls,
		...inconsistent(standing, obs, why, polls, cfg, now),
	};
}

type Unsupervised = Pick<Inconsistent, "supervisor" | "supervisorKind">;

function unsupervised(
	supervisor: SupervisorState,
	wasInconsistent: boolean,
): Unsupervised | "could-not-look" | null {
	switch (supervisor.kind) {
		case "alive":
			return null;
		case "unknown":
			return "could-not-look";
		case "absent":
			return wasInconsistent
				? { supervisor: "record removed", supervisorKind: "vanished" }
				: null;
		case "stale":
			// A record that nobody can read proves nothing about a process.
			return supervisor.reason === "malformed-record"
				? "could-not-look"
				: { supervisor: supervisor.reason, supervisorKind: "dead" };
	}
}

function inconsistent(
	standing: Inconsistent | null,
	obs: Observation,
	why: Unsupervised,
	polls: number,
	cfg: HealthSettings,
	now: number,
): Pick<StepResult, "incident" | "events"> {
	const { row } = obs;
	const age = ageSeconds(
		now,
		standing?.firstInconsistent,
		cfg.inconsistentRenagSeconds,
	);
	const firstInconsistent =
		age === null ? now : (standing?.firstInconsistent ?? now);
	const events: ServiceEvent[] = [];
	if (standing === null)
		events.push({
			event: "detected-inconsistent",
			detail: `healthcheck passes, supervisor ${why.supervisor}`,
		});
	if (
		why.supervisorKind === "vanished" &&
		standing?.supervisorKind !== "vanished"
	)
		events.push({
			event: "supervisor-record-vanished",
			detail: `${obs.pidfile} was removed; nobody supervises it`,
		});
	return {
		events,
		incident: {
			kind: "inconsistent",
			status: "inconsistent",
			...why,
			polls,
			service: row.name,
			policy: row.policy,
			healthCmd: row.healthcheck,
			workdir: row.workdir,
			logfile: row.logfile,
			firstInconsistent,
			supervisorPidfile: obs.pidfile,
			renagBucket: Math.floor(
				(now - firstInconsistent) / cfg.inconsistentRenagSeconds,
			),
			lastCheck: now,
		},
	};
}
