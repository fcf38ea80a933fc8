/** `service-health/<service>.events`: `<ISO>\t<event>\t<detail>`, append-only, never deleted (contract 06 §8.2). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { isoEpoch } from "./json-object.ts";
import { column } from "./rows-file.ts";
import { serviceHealthDir } from "./service-incident.ts";

const SERVICE_EVENTS = [
	"detected-unhealthy",
	"grace-started",
	"escalate-emit-only",
	"flap-ceiling-reached",
	"restart-issued",
	"restart-failed",
	"restart-deferred",
	"held-clock-gap",
	"recovered",
	"detected-inconsistent",
	"supervisor-record-vanished",
	"inconsistent-cleared",
] as const;
export type ServiceEventName = (typeof SERVICE_EVENTS)[number];

export interface ServiceEvent {
	readonly event: ServiceEventName;
	readonly detail: string;
}

export function serviceEventsPath(stateDir: string, service: string): string {
	return join(serviceHealthDir(stateDir), `${service}.events`);
}

/** Tabs and line breaks in a column become blanks. */
export function appendServiceEvent(
	files: Files,
	stateDir: string,
	service: string,
	{ event, detail }: ServiceEvent,
	iso: string,
): WriteResult {
	return files.append(
		serviceEventsPath(stateDir, service),
		`${[iso, event, detail].map(column).join("\t")}\n`,
	);
}

/** Verbatim; null: there is none that could be read. */
export function readServiceEvents(
	files: Files,
	stateDir: string,
	service: string,
): string | null {
	const read = files.read(serviceEventsPath(stateDir, service));
	return read.kind === "ok" ? read.text : null;
}

/** What the events still know of an incident whose own file is lost. Epoch seconds; null = not told. */
export interface RememberedIncident {
	readonly firstUnhealthy: number | null;
	readonly restartAttempts: number;
	readonly lastRestart: number | null;
}

/** The rows after the newest `detected-unhealthy`. Pure. */
export function rememberIncident(events: string): RememberedIncident {
	const rows = events.split("\n").map((line) => line.split("\t"));
	const start = rows.findLastIndex(([, e]) => e === "detected-unhealthy");
	const restarts = rows
		.slice(start < 0 ? rows.length : start)
		.filter(([, e]) => e === "restart-issued" || e === "restart-failed");
	return {
		firstUnhealthy: isoEpoch(rows[start]?.[0]),
		restartAttempts: restarts.length,
		lastRestart: isoEpoch(restarts.at(-1)?.[0]),
	};
}
