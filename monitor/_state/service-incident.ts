/** `service-health/<service>.state`, `key=value`: the open incident of a service (contract 06 §8.2). A healthy, consistent service has none. */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { type StateDoors, type StateRead, setAside } from "./damaged.ts";
import { type Kv, parseKv } from "./kv.ts";
import { peekState } from "./peek.ts";
import {
	type Incident,
	parseIncident,
	renderIncident,
} from "./service-incident-kv.ts";

export type * from "./service-incident-kv.ts";
export { statusOf } from "./service-incident-kv.ts";

const SUFFIX = ".state";

/** Incidents, marks and events of all services. */
export function serviceHealthDir(stateDir: string): string {
	return join(stateDir, "service-health");
}

export function incidentPath(stateDir: string, service: string): string {
	return join(serviceHealthDir(stateDir), `${service}${SUFFIX}`);
}

/** A damaged file has been set aside; its incident is still open (contract 06 §8.2). */
export function readIncident(
	doors: StateDoors,
	stateDir: string,
	service: string,
): StateRead<Incident> {
	const path = incidentPath(stateDir, service);
	const read = peekState(doors.files, path, parseIncident);
	if (read.kind === "damaged") setAside(doors, stateDir, path, read.why);
	return read;
}

/** As `readIncident`, and a damaged file stays for whoever looks after the service. */
export function peekIncident(
	files: Files,
	stateDir: string,
	service: string,
): StateRead<Incident> {
	return peekState(files, incidentPath(stateDir, service), parseIncident);
}

/** As it stands in the file, for programs that quote it. Null: there is none that could be read. */
export function readIncidentKv(
	files: Files,
	stateDir: string,
	service: string,
): Kv | null {
	const read = files.read(incidentPath(stateDir, service));
	return read.kind === "ok" ? parseKv(read.text) : null;
}

/** An incident and the text it was read from. */
export interface SeenIncident {
	readonly incident: Incident;
	readonly text: string;
}

/** All incidents in the order of their file names; null: could not look. A damaged one is left to whoever acts on it. */
export function listIncidents(
	files: Files,
	stateDir: string,
): readonly SeenIncident[] | null {
	const dir = serviceHealthDir(stateDir);
	const listed = files.list(dir);
	if (listed.kind === "absent") return [];
	if (listed.kind === "unreadable") return null;
	return listed.names
		.filter((name) => name.endsWith(SUFFIX))
		.flatMap((name) => {
			const read = files.read(join(dir, name));
			const incident = read.kind === "ok" ? parseIncident(read.text) : null;
			return read.kind === "ok" && incident !== null
				? [{ incident, text: read.text }]
				: [];
		});
}

/** Makes the folder; replaces the incident as it was. */
export function writeIncident(
	files: Files,
	stateDir: string,
	incident: Incident,
	iso: (epochSeconds: number) => string,
): WriteResult {
	const made = files.mkdir(serviceHealthDir(stateDir));
	if (made.kind === "failed") return made;
	return files.writeAtomic(
		incidentPath(stateDir, incident.service),
		renderIncident(incident, iso),
	);
}

/** Only while it still says `text`: what was written since has not been told. False: it stays. */
export function removeIncident(
	files: Files,
	stateDir: string,
	service: string,
	text: string,
): boolean {
	const path = incidentPath(stateDir, service);
	const read = files.read(path);
	if (read.kind !== "ok" || read.text !== text) return false;
	return files.remove(path).kind === "ok";
}
