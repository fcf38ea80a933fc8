/** The words of the service-health section, a block an incident (contract 06 §8.4). Pure. */
import { serviceEventsPath } from "../_state/service-events.ts";
import {
	type Incident,
	type Inconsistent,
	incidentPath,
	type Recovered,
	statusOf,
	type Unhealthy,
} from "../_state/service-incident.ts";
import { programName, TEXTS } from "../_sys/names.ts";
import { oneLine } from "./clean-text.ts";

type Iso = (epochSeconds: number) => string;

/** The first line names the service; the others are indented, so that no text of a stranger can start a section. */
export function incidentBlock(
	i: Incident,
	stateDir: string,
	iso: Iso,
): readonly string[] {
	const [first = "", ...rest] = linesOf(i, iso);
	return [
		`service '${i.service}' ${first}`,
		...[...rest, ...(isTold(i) ? [] : filesOf(i, stateDir))].map(
			(line) => `  ${oneLine(line)}`,
		),
	];
}

/** Its row is gone, so nobody looks after it any more. */
export function leftRegistryBlock(
	i: Incident,
	stateDir: string,
	iso: Iso,
): readonly string[] {
	const since =
		i.kind === "inconsistent" ? i.firstInconsistent : i.firstUnhealthy;
	return [
		`service '${i.service}' LEFT THE REGISTRY with an open incident (${statusOf(i)} since ${iso(since)}); it is no longer looked after`,
		`  if that was not meant: put its row back into the registry`,
		`  if it still runs and should not: ${programName("svc")} stop ${i.service}`,
		`  history: ${serviceEventsPath(stateDir, i.service)}`,
	];
}

function linesOf(i: Incident, iso: Iso): readonly string[] {
	switch (i.kind) {
		case "unhealthy":
			return unhealthyLines(i, iso(i.firstUnhealthy));
		case "recovered":
			return recoveredLines(i, iso(i.firstUnhealthy));
		case "inconsistent":
			return i.status === "inconsistent"
				? inconsistentLines(i, iso(i.firstInconsistent))
				: [
						"RECONCILED: its healthcheck passes and it is supervised again; no action needed",
					];
	}
}

function unhealthyLines(i: Unhealthy, since: string): readonly string[] {
	const failing = `failing healthcheck: ${i.healthCmd}`;
	const k = i.restartAttempts;
	switch (i.status) {
		case "grace":
			return [
				`unhealthy since ${since}; inside its ${i.graceSeconds}s grace window`,
				failing,
				i.policy === "emit-only"
					? "policy: emit-only; after the grace window it is left to you"
					: `policy: ${i.policy}; after the grace window the watcher restarts it`,
				"No action needed yet.",
			];
		case "recovering":
			return [
				`unhealthy since ${since}; auto-restart in progress (${k} attempt(s))`,
				failing,
				`policy: ${i.policy}`,
				`auto-restart: ${i.note || "none yet"}`,
				`if it does not hold: ${programName("ng")} service-incident ${i.service}`,
			];
		case "emit-only":
			return [
				`DOWN since ${since}; policy emit-only: the watcher will NOT auto-restart it; needs your judgment`,
				failing,
				"policy: emit-only",
				...actionLines(i.service),
			];
		case "flapping":
			return [
				`DOWN and NOT auto-recovering (FLAPPING): unhealthy since ${since}; ${k} restart attempt(s) did not hold`,
				failing,
				`policy: ${i.policy}`,
				`auto-restart: ${i.note || "stopped"}`,
				...actionLines(i.service),
			];
	}
}

function actionLines(service: string): readonly string[] {
	return [
		`ACTION (${TEXTS.serviceRecoverySkill}):`,
		`restart now: ${programName("svc")} restart ${service}`,
		`incident issue: ${programName("ng")} service-incident ${service}`,
	];
}

function recoveredLines(i: Recovered, since: string): readonly string[] {
	const at = `unhealthy since ${since}`;
	const how = `how: ${i.recoveredVia}`;
	const cause = [
		"NOT a transient blip: find the cause",
		`incident issue: ${programName("ng")} service-incident ${i.service}`,
	];
	switch (i.recoveredBy) {
		case "watcher":
			return [`RECOVERED (auto-restart held); ${at}`, how, ...cause];
		case "operator":
			return [`RECOVERED BY INTERVENTION; ${at}`, how, ...cause];
		case "version-restart":
			return [
				`RESTARTED BY VERSION-RESTART; ${at}`,
				how,
				"expected after a pull; no action needed",
			];
		case "unknown":
			return [`RECOVERED, CAUSE UNKNOWN; ${at}`, how, ...cause];
		case "supervisor":
		case "self-heal":
			return [
				`RECOVERED (${i.escalated ? "self-healed" : "self-healed within grace"}); ${at}`,
				how,
				...(i.escalated ? cause : ["Transient blip; no action needed"]),
			];
	}
}

function inconsistentLines(i: Inconsistent, since: string): readonly string[] {
	return [
		`INCONSISTENT since ${since}: its healthcheck PASSES, but it runs UNSUPERVISED: nothing brings it back when it ends`,
		`passing healthcheck: ${i.healthCmd}`,
		`supervisor record: ${i.supervisorPidfile} (${i.supervisor}; ${i.polls} polls)`,
		...(i.supervisorKind === "vanished"
			? ["the record was removed while it ran: it is NOT reconciled by that"]
			: []),
		`policy: ${i.policy}; a healthy service is never restarted by the watcher`,
		`put it under supervision: ${programName("svc")} restart ${i.service}`,
	];
}

function filesOf(i: Incident, stateDir: string): readonly string[] {
	const detail = i.kind === "unhealthy" ? i.healthDetail : "";
	const { service, logfile } = i;
	return [
		...(logfile === "" ? [] : [`logfile: ${logfile}`]),
		...(detail === "" ? [] : [`diagnostic: ${detail}`]),
		`incident state: ${incidentPath(stateDir, service)}   (history: ${serviceEventsPath(stateDir, service)})`,
	];
}

/** Nothing is left to look up. */
function isTold(i: Incident): boolean {
	return i.kind === "recovered" || statusOf(i) === "reconciled";
}
