/** The open incident of a service: its kinds, and the `key=value` text of each (contract 06 §8.2). */
import { digits, parseKv, renderKv } from "./kv.ts";

/** Its check fails. */
export interface Unhealthy {
	readonly kind: "unhealthy";
	readonly service: string;
	readonly status: "grace" | "recovering" | "emit-only" | "flapping";
	readonly policy: string;
	/** Epoch seconds. */
	readonly firstUnhealthy: number;
	readonly restartAttempts: number;
	/** Epoch seconds; 0 = none yet. */
	readonly lastRestart: number;
	/** It has been more than a blip. */
	readonly escalated: boolean;
	readonly lastCheck: number;
	readonly graceSeconds: number;
	readonly healthCmd: string;
	/** What the check said; may be empty. */
	readonly healthDetail: string;
	readonly workdir: string;
	readonly logfile: string;
	/** What was done about it; may be empty. */
	readonly note: string;
}

/** Told once, then gone. */
export interface Recovered {
	readonly kind: "recovered";
	readonly service: string;
	readonly policy: string;
	readonly firstUnhealthy: number;
	readonly recoveredAt: number;
	readonly restartAttempts: number;
	readonly recoveredBy: RecoveredBy;
	readonly recoveredVia: string;
	readonly escalated: boolean;
	readonly healthCmd: string;
	readonly logfile: string;
	readonly lastCheck: number;
}
const RECOVERED_BY = [
	"watcher",
	"version-restart",
	"operator",
	"supervisor",
	"self-heal",
	"unknown",
] as const;
export type RecoveredBy = (typeof RECOVERED_BY)[number];

/** Its check passes and nobody supervises it; `reconciled`: somebody does again, told once. */
export interface Inconsistent {
	readonly kind: "inconsistent";
	readonly service: string;
	readonly status: "inconsistent" | "reconciled";
	readonly policy: string;
	/** Why the record proves nobody, in a word. */
	readonly supervisor: string;
	readonly supervisorKind: "dead" | "vanished";
	readonly supervisorPidfile: string;
	readonly polls: number;
	readonly firstInconsistent: number;
	/** Counts up with its age, so that it is told again now and then. */
	readonly renagBucket: number;
	readonly healthCmd: string;
	readonly workdir: string;
	readonly logfile: string;
	readonly lastCheck: number;
}

export type Incident = Unhealthy | Recovered | Inconsistent;
export type IncidentStatus =
	| Unhealthy["status"]
	| "recovered"
	| Inconsistent["status"];

/** The word that the file and the reports have for it. */
export function statusOf(incident: Incident): IncidentStatus {
	return incident.kind === "recovered" ? "recovered" : incident.status;
}

/** Null: damaged. Unreadable integers count as 0. */
export function parseIncident(text: string): Incident | null {
	if (text.includes("\0")) return null;
	const kv = parseKv(text);
	const of = (key: string) => kv.get(key) ?? "";
	const count = (key: string) => digits(of(key)) ?? 0;
	const common = {
		service: of("service"),
		policy: of("policy"),
		healthCmd: of("health_cmd"),
		workdir: of("workdir"),
		logfile: of("logfile"),
		lastCheck: count("last_check"),
	};
	if (common.service === "") return null;
	const unhealthy = {
		firstUnhealthy: count("first_unhealthy"),
		restartAttempts: count("restart_attempts"),
		escalated: count("escalated") > 0,
	};
	const status = of("status");
	switch (status) {
		case "grace":
		case "recovering":
		case "emit-only":
		case "flapping":
		// Words of older writers for an incident that is open.
		case "down":
		case "cold-build":
			return {
				kind: "unhealthy",
				...common,
				...unhealthy,
				status:
					status === "down" || status === "cold-build" ? "recovering" : status,
				lastRestart: count("last_restart"),
				graceSeconds: count("grace_seconds"),
				healthDetail: of("health_detail"),
				note: of("note"),
			};
		case "recovered":
			return {
				kind: "recovered",
				...common,
				...unhealthy,
				recoveredAt: count("recovered_at"),
				recoveredBy:
					RECOVERED_BY.find((by) => by === of("recovered_by")) ?? "unknown",
				recoveredVia: of("recovered_via"),
			};
		case "inconsistent":
		case "reconciled":
			return {
				kind: "inconsistent",
				...common,
				status,
				supervisor: of("supervisor"),
				supervisorKind:
					of("supervisor_kind") === "vanished" ? "vanished" : "dead",
				supervisorPidfile: of("supervisor_pidfile"),
				polls: count("inconsistent_polls"),
				firstInconsistent: count("first_inconsistent"),
				renagBucket: count("renag_bucket"),
			};
		default:
			return null;
	}
}

/** Each time twice, in epoch seconds and through `iso`, for people. */
export function renderIncident(
	i: Incident,
	iso: (epochSeconds: number) => string,
): string {
	const stamp = (key: string, at: number) =>
		[
			[key, at],
			[`${key}_iso`, iso(at)],
		] as const;
	const head = [
		["service", i.service],
		["status", statusOf(i)],
		["policy", i.policy],
	] as const;
	switch (i.kind) {
		case "unhealthy":
			return renderKv([
				...head,
				...stamp("first_unhealthy", i.firstUnhealthy),
				["restart_attempts", i.restartAttempts],
				["last_restart", i.lastRestart],
				["escalated", Number(i.escalated)],
				...stamp("last_check", i.lastCheck),
				["grace_seconds", i.graceSeconds],
				["health_cmd", i.healthCmd],
				["health_detail", i.healthDetail],
				["workdir", i.workdir],
				["logfile", i.logfile],
				["note", i.note],
			]);
		case "recovered":
			return renderKv([
				...head,
				...stamp("first_unhealthy", i.firstUnhealthy),
				...stamp("recovered_at", i.recoveredAt),
				["restart_attempts", i.restartAttempts],
				["recovered_by", i.recoveredBy],
				["recovered_via", i.recoveredVia],
				["escalated", Number(i.escalated)],
				["health_cmd", i.healthCmd],
				["logfile", i.logfile],
				["last_check", i.lastCheck],
			]);
		case "inconsistent":
			return renderKv([
				...head,
				["restart_attempts", 0],
				["supervisor", i.supervisor],
				["supervisor_kind", i.supervisorKind],
				["supervisor_pidfile", i.supervisorPidfile],
				["inconsistent_polls", i.polls],
				...stamp("first_inconsistent", i.firstInconsistent),
				["renag_bucket", i.renagBucket],
				["health_cmd", i.healthCmd],
				["workdir", i.workdir],
				["logfile", i.logfile],
				...stamp("last_check", i.lastCheck),
			]);
	}
}
