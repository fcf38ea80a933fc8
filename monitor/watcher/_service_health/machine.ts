/** What becomes of one service at one look (contract 06 §8.3). Pure: all branching of the duty stands here. */
import { type HealthVerdict, isHealthy } from "../../_services/healthcheck.ts";
import type { SupervisorState } from "../../_services/supervisor.ts";
import type { ServiceEvent } from "../../_state/service-events.ts";
import type { Incident, Unhealthy } from "../../_state/service-incident.ts";
import type { RestartMarker, UnknownRun } from "../../_state/service-marks.ts";
import type { ServiceRow } from "../../_state/services-registry.ts";
import { ageSeconds } from "../../_sys/age.ts";
import { healthy, recovered } from "./healthy.ts";

export interface HealthSettings {
	readonly intervalSeconds: number;
	readonly graceSeconds: number;
	readonly cooldownSeconds: number;
	/** Restarts without lasting health. */
	readonly flapCeiling: number;
	/** Polls without a supervisor before that is told. */
	readonly inconsistentPolls: number;
	readonly inconsistentRenagSeconds: number;
	/** Unfinished checks in a row that raise the alarm. */
	readonly unknownAlert: number;
}

export interface Observation {
	readonly row: ServiceRow;
	readonly verdict: HealthVerdict;
	readonly supervisor: SupervisorState;
	readonly pidfile: string;
	readonly marker: RestartMarker | null;
	/** What is being counted. */
	readonly polls: number;
	readonly unknown: UnknownRun | null;
	/** The first look after the watcher was away or the clock jumped: elapsed time is no miss. */
	readonly afterGap: boolean;
}

/** `keep` leaves what stands in the file. */
export interface StepResult {
	readonly incident: Incident | "keep";
	readonly events: readonly ServiceEvent[];
	/** Restart it, then say so to `restartEnded`. The incident counts it already: an end in between costs no count. */
	readonly restart: boolean;
	readonly polls: number;
	readonly unknown: UnknownRun | null;
	readonly dropMarker: boolean;
	/** The checks that did not finish have become a run of this length: for the operator, once. */
	readonly alertUnknown: number | null;
}

/** `now` in epoch seconds. */
export function step(
	prev: Incident | null,
	obs: Observation,
	cfg: HealthSettings,
	now: number,
): StepResult {
	if (obs.verdict.kind === "unknown") return notFinished(obs, cfg, now);
	if (!isHealthy(obs.verdict)) return failing(prev, obs, cfg, now);
	if (prev?.kind === "unhealthy") return recovered(prev, obs, cfg, now);
	return healthy(prev, obs, cfg, now);
}

/** How `svc restart` ended, told to the incident that asked for it. 75 = refused, nothing was done. */
export function restartEnded(
	asked: Unhealthy,
	rc: number,
	cfg: Pick<HealthSettings, "flapCeiling">,
): { readonly incident: Unhealthy; readonly event: ServiceEvent } {
	const refused = rc === 75;
	const restartAttempts = asked.restartAttempts - Number(refused);
	const note = `attempt ${asked.restartAttempts}/${cfg.flapCeiling} (svc restart rc=${rc}${refused ? ", deferred" : ""})`;
	return {
		incident: { ...asked, restartAttempts, note },
		event: {
			event: refused
				? "restart-deferred"
				: rc === 0
					? "restart-issued"
					: "restart-failed",
			detail: note,
		},
	};
}

/** A check that hangs says nothing: read as down it would restart a healthy service, read as up it would close a real incident. */
function notFinished(
	obs: Observation,
	cfg: HealthSettings,
	now: number,
): StepResult {
	if (obs.afterGap) return nothing(obs);
	const count = (obs.unknown?.count ?? 0) + 1;
	return {
		...nothing(obs),
		unknown: { count, since: obs.unknown?.since ?? now },
		alertUnknown: count === cfg.unknownAlert ? count : null,
	};
}

function failing(
	prev: Incident | null,
	obs: Observation,
	cfg: HealthSettings,
	now: number,
): StepResult {
	const open = prev?.kind === "unhealthy" ? prev : null;
	const events: ServiceEvent[] = [];
	const { row, verdict } = obs;
	const healthDetail = "detail" in verdict ? verdict.detail : "";
	if (open === null)
		events.push({
			event: "detected-unhealthy",
			detail: healthDetail || `healthcheck failed: ${row.healthcheck}`,
		});
	// A start further ahead than the grace itself is another clock's.
	const credible = ageSeconds(
		now,
		open?.firstUnhealthy,
		Math.max(cfg.graceSeconds, cfg.intervalSeconds),
	);
	const base: Unhealthy = {
		kind: "unhealthy",
		status: open?.status ?? "grace",
		firstUnhealthy: credible === null ? now : (open?.firstUnhealthy ?? now),
		restartAttempts: open?.restartAttempts ?? 0,
		lastRestart: open?.lastRestart ?? 0,
		escalated: open?.escalated ?? false,
		note: open?.note ?? "",
		service: row.name,
		policy: row.policy,
		healthCmd: row.healthcheck,
		workdir: row.workdir,
		logfile: row.logfile,
		healthDetail,
		lastCheck: now,
		graceSeconds: cfg.graceSeconds,
	};
	const moved = obs.afterGap
		? held(base, events)
		: moveOn(base, open, events, credible ?? 0, cfg, now);
	return {
		...nothing(obs),
		...moved,
		events,
		incident: {
			...moved.incident,
			escalated: base.escalated || moved.incident.status !== "grace",
		},
	};
}

interface Moved {
	readonly incident: Unhealthy;
	readonly restart: boolean;
}

/** Nothing moves on, nothing is restarted; the next look judges. */
function held(base: Unhealthy, events: ServiceEvent[]): Moved {
	events.push({
		event: "held-clock-gap",
		detail: `still failing; status ${base.status} kept, elapsed time is no miss`,
	});
	return { incident: base, restart: false };
}

/** First match (contract 06 §8.3 a to e). `elapsed` in seconds. */
function moveOn(
	base: Unhealthy,
	open: Unhealthy | null,
	events: ServiceEvent[],
	elapsed: number,
	cfg: HealthSettings,
	now: number,
): Moved {
	const to = (status: Unhealthy["status"], note = base.note): Moved => ({
		incident: { ...base, status, note },
		restart: false,
	});
	if (elapsed < cfg.graceSeconds) {
		if (open === null)
			events.push({
				event: "grace-started",
				detail: `${cfg.graceSeconds}s before anything is done`,
			});
		return to("grace");
	}
	if (base.policy === "emit-only") {
		if (open?.status !== "emit-only")
			events.push({
				event: "escalate-emit-only",
				detail: "policy emit-only: never restarted by the watcher",
			});
		return to("emit-only");
	}
	const { restartAttempts: attempts } = base;
	if (open?.status === "flapping" || attempts >= cfg.flapCeiling) {
		if (open?.status !== "flapping")
			events.push({
				event: "flap-ceiling-reached",
				detail: `${attempts}/${cfg.flapCeiling} restarts did not hold`,
			});
		return to("flapping");
	}
	const cooling =
		base.lastRestart > 0
			? ageSeconds(now, base.lastRestart, cfg.cooldownSeconds)
			: null;
	if (cooling !== null && cooling < cfg.cooldownSeconds)
		return to("recovering");
	return {
		incident: {
			...base,
			status: "recovering",
			restartAttempts: attempts + 1,
			lastRestart: now,
			note: `attempt ${attempts + 1}/${cfg.flapCeiling} under way`,
		},
		restart: true,
	};
}

/** A finished check ends a run of unfinished ones; a failing one ends the polls. */
export function nothing(obs: Observation): StepResult {
	return {
		incident: "keep",
		events: [],
		restart: false,
		unknown: null,
		dropMarker: false,
		alertUnknown: null,
		polls: obs.verdict.kind === "down" ? 0 : obs.polls,
	};
}
