/** The `--- service health ---` section (contract 06 §8.4): what stands in the incident files and was not told yet. */
import {
	type Incident,
	listIncidents,
	peekIncident,
	removeIncident,
	type SeenIncident,
	statusOf,
} from "../_state/service-incident.ts";
import {
	readServiceSurfaced,
	writeServiceSurfaced,
} from "../_state/service-marks.ts";
import {
	readServiceNames,
	servicesRegistryPath,
} from "../_state/services-registry.ts";
import type { Files } from "../_sys/doors.ts";
import type { EmitPlace } from "./place.ts";
import type { SectionProvider } from "./providers.ts";
import { incidentBlock, leftRegistryBlock } from "./service-health-blocks.ts";

/** A block of the section, and what its delivery teaches. */
export interface HealthRow {
	readonly service: string;
	readonly key: string;
	/** Told once; then the incident is over and its file goes. */
	readonly oneShot: boolean;
	readonly seen: SeenIncident;
	readonly block: readonly string[];
}

export interface HealthFacts {
	/** In the order in which they are told. */
	readonly incidents: readonly SeenIncident[];
	/** Re-nag key that was last delivered of a service; null = none. */
	readonly shown: (service: string) => string | null;
	/** Null: the registry could not be read, and nobody can tell who left it. */
	readonly registered: ReadonlySet<string> | null;
	readonly stateDir: string;
	readonly iso: (epochSeconds: number) => string;
}

/** Commits what it told. A registry that cannot be read hides no incident. */
export function serviceHealthSection({
	root,
	stateDir,
}: Pick<EmitPlace, "root" | "stateDir">): SectionProvider {
	return {
		id: "serviceHealth",
		render: ({ doors }) => {
			const { files, clock, proc } = doors;
			const path = servicesRegistryPath(proc.env, root);
			const names = readServiceNames(files, path);
			const rows = renderServiceHealth({
				incidents: listIncidents(files, stateDir) ?? [],
				shown: (service) => readServiceSurfaced(files, stateDir, service),
				registered: names.kind === "ok" ? names.names : null,
				stateDir,
				iso: clock.iso,
			});
			return {
				text: rows.map(({ block }) => `${block.join("\n")}\n\n`).join(""),
				commit: () => commitServiceHealth(files, stateDir, rows),
			};
		},
	};
}

/** Pure. */
function renderServiceHealth(f: HealthFacts): readonly HealthRow[] {
	return f.incidents.flatMap((seen) => {
		const { incident } = seen;
		const { service } = incident;
		const left = f.registered !== null && !f.registered.has(service);
		const key = left ? "left-registry" : renagKey(incident);
		if (f.shown(service) === key) return [];
		const block = left
			? leftRegistryBlock(incident, f.stateDir, f.iso)
			: incidentBlock(incident, f.stateDir, f.iso);
		return [{ service, key, oneShot: left || isOver(incident), seen, block }];
	});
}

/**
 * After a delivery. What the tick wrote since has not been told: an incident that is another one by now learns
 * nothing, and its file stays.
 */
function commitServiceHealth(
	files: Files,
	stateDir: string,
	rows: readonly HealthRow[],
): void {
	for (const { service, key, oneShot, seen } of rows) {
		if (oneShot) {
			if (!removeIncident(files, stateDir, service, seen.text)) continue;
			writeServiceSurfaced(files, stateDir, service, null);
			continue;
		}
		const now = peekIncident(files, stateDir, service);
		if (now.kind !== "ok" || !isSame(now.value, seen.incident)) continue;
		writeServiceSurfaced(files, stateDir, service, key);
	}
}

/** Equal to what was delivered: it is not told again. */
function renagKey(i: Incident): string {
	return i.kind === "inconsistent"
		? `${i.status}:0:${i.renagBucket}:${i.supervisorKind}`
		: `${statusOf(i)}:${i.restartAttempts}`;
}

function isOver(i: Incident): boolean {
	return i.kind === "recovered" || statusOf(i) === "reconciled";
}

function isSame(a: Incident, b: Incident): boolean {
	return renagKey(a) === renagKey(b) && startOf(a) === startOf(b);
}

function startOf(i: Incident): number {
	return i.kind === "inconsistent" ? i.firstInconsistent : i.firstUnhealthy;
}
