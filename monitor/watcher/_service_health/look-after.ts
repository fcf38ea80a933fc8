/** One service, looked after once: its check, what follows from it, and the files that say so (contract 06 §8.2, §8.3). */
import { raise } from "../../_emit/self-heal.ts";
import { runHealthcheck } from "../../_services/healthcheck.ts";
import { restartService } from "../../_services/restart-service.ts";
import { supervisorState } from "../../_services/supervisor.ts";
import {
	appendServiceEvent,
	readServiceEvents,
	rememberIncident,
	type ServiceEvent,
} from "../../_state/service-events.ts";
import {
	type Incident,
	readIncident,
	writeIncident,
} from "../../_state/service-incident.ts";
import {
	readInconsistentPolls,
	readRestartMarker,
	readUnknownRun,
	removeRestartMarker,
	writeInconsistentPolls,
	writeServiceSurfaced,
	writeUnknownRun,
} from "../../_state/service-marks.ts";
import { readStopMark } from "../../_state/service-stop.ts";
import type { ServiceRow } from "../../_state/services-registry.ts";
import { supervisorRecordPath } from "../../_state/supervisor-record.ts";
import type { TaskRun, WatcherContext } from "../context.ts";
import { type GapMemory, wasAway } from "./gap.ts";
import {
	type HealthSettings,
	type Observation,
	restartEnded,
	type StepResult,
	step,
} from "./machine.ts";

export type HealthPlace = Pick<
	WatcherContext,
	"root" | "stateDir" | "codeRoot" | "config"
>;

/** What one watcher process remembers between its ticks. */
export interface HealthMemory {
	readonly gap: GapMemory;
	/** Said once. */
	readonly told: Set<string>;
}

/** Empty; it lives as long as the process. */
export function healthMemory(): HealthMemory {
	return {
		gap: { generation: 0, lastEnd: null, seen: new Map() },
		told: new Set(),
	};
}

/**
 * A check that was broken off, or a service that is stopped on purpose, changes nothing. `held`: it fails, and nothing
 * was done because the watcher had been away before this look.
 */
export async function lookAfter(
	run: TaskRun,
	place: HealthPlace,
	settings: HealthSettings,
	memory: HealthMemory,
	row: ServiceRow,
): Promise<"over" | "held"> {
	const { doors, signal } = run;
	const { files, clock } = doors;
	const { stateDir, config } = place;
	const stopped = () => readStopMark(files, stateDir, row.name) !== null;
	// Down on purpose: nothing to look after, and an open incident waits for its start.
	if (stopped()) return "over";
	const verdict = await runHealthcheck(doors, place, row, {
		boundSeconds: config.MONITOR_SERVICE_HEALTH_CHECK_TIMEOUT_SECONDS,
		signal,
	});
	// Broken off: could not look. Stopped meanwhile: the check saw it go.
	if (signal.aborted || stopped()) return "over";
	const now = clock.now();
	const prev = openIncident(run, stateDir, row, settings, now);
	if (prev === "could-not-look") return "over";
	const supervisor = supervisorState(doors, stateDir, row);
	if (supervisor.kind === "stale" && supervisor.reason === "malformed-record")
		sayOnce(
			run,
			memory,
			`service ${row.name}: its supervisor record is damaged`,
		);
	const obs: Observation = {
		row,
		verdict,
		supervisor,
		pidfile: supervisorRecordPath(stateDir, row.name),
		marker: readRestartMarker(files, stateDir, row.name),
		polls: readInconsistentPolls(files, stateDir, row.name),
		unknown: readUnknownRun(files, stateDir, row.name),
		afterGap:
			run.afterGap ||
			wasAway(memory.gap, row.name, prev, settings.intervalSeconds, now),
	};
	if (verdict.kind !== "unknown")
		memory.gap.seen.set(row.name, memory.gap.generation);
	const result = step(prev, obs, settings, now);
	if (verdict.kind === "unknown")
		run.log(
			`service ${row.name}: check ${verdict.why} (${result.unknown?.count ?? 0} in a row)`,
		);
	if (!remember(run, stateDir, row, result)) return "over";
	if (result.restart && result.incident !== "keep")
		await restart(run, place, settings, result.incident);
	return obs.afterGap && verdict.kind === "down" ? "held" : "over";
}

/** Null: no incident. What a damaged file said is gone; that there was one, and what the events know of it, is not. */
function openIncident(
	{ doors, log }: TaskRun,
	stateDir: string,
	row: ServiceRow,
	settings: HealthSettings,
	now: number,
): Incident | null | "could-not-look" {
	const read = readIncident(doors, stateDir, row.name);
	switch (read.kind) {
		case "ok":
			return read.value;
		case "absent":
			return null;
		case "unreadable":
			log(`service ${row.name}: its incident cannot be read: ${read.why}`);
			return "could-not-look";
		case "damaged": {
			const known = rememberIncident(
				readServiceEvents(doors.files, stateDir, row.name) ?? "",
			);
			return {
				kind: "unhealthy",
				service: row.name,
				status: "recovering",
				policy: row.policy,
				healthCmd: row.healthcheck,
				firstUnhealthy: known.firstUnhealthy ?? now,
				restartAttempts: known.restartAttempts,
				lastRestart: known.lastRestart ?? 0,
				escalated: true,
				lastCheck: now,
				healthDetail: "",
				graceSeconds: settings.graceSeconds,
				workdir: row.workdir,
				logfile: row.logfile,
				note: "its state file was damaged; rebuilt from its events",
			};
		}
	}
}

/** False: it could not be written, and then nothing is restarted: nobody would count it. */
function remember(
	run: TaskRun,
	stateDir: string,
	row: ServiceRow,
	result: StepResult,
): boolean {
	const { files, clock } = run.doors;
	const { name } = row;
	writeUnknownRun(files, stateDir, name, result.unknown, clock.iso);
	writeInconsistentPolls(files, stateDir, name, result.polls);
	if (result.dropMarker) removeRestartMarker(files, stateDir, name);
	const written =
		result.incident === "keep"
			? ({ kind: "ok" } as const)
			: writeIncident(files, stateDir, result.incident, clock.iso);
	if (written.kind === "failed")
		run.log(`service ${name}: its incident is not written: ${written.reason}`);
	for (const event of result.events) say(run, stateDir, name, event);
	// What was told belongs to an incident that is over.
	if (result.events.some(({ event }) => event.startsWith("detected-")))
		writeServiceSurfaced(files, stateDir, name, null);
	if (result.alertUnknown !== null)
		raise(
			run.doors,
			stateDir,
			`service ${name}: its healthcheck did not finish ${result.alertUnknown} times in a row`,
		);
	return written.kind === "ok";
}

/** Judged by the next tick: the restart launches and does not wait. */
async function restart(
	run: TaskRun,
	place: HealthPlace,
	settings: HealthSettings,
	asked: Incident,
): Promise<void> {
	if (asked.kind !== "unhealthy") return;
	const rc = await restartService(run, place, asked.service, "watcher");
	if (rc === null) return;
	const { incident, event } = restartEnded(asked, rc, settings);
	const { files, clock } = run.doors;
	writeIncident(files, place.stateDir, incident, clock.iso);
	say(run, place.stateDir, asked.service, event);
}

function say(
	run: TaskRun,
	stateDir: string,
	service: string,
	event: ServiceEvent,
): void {
	const { files, clock } = run.doors;
	appendServiceEvent(files, stateDir, service, event, clock.iso());
	run.log(`service ${service}: ${event.event} (${event.detail})`);
}

/** In the log of this process; a restart says it again. */
export function sayOnce(
	run: TaskRun,
	{ told }: HealthMemory,
	line: string,
): void {
	if (told.has(line)) return;
	told.add(line);
	run.log(line);
}
