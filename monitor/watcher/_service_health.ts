/**
 * `service_health`: looks after every registered service by its own check (contract 06 §8). It never weakens a check
 * and never restarts what is healthy. All state is on disk, a row at a time: a run that is broken off loses nothing.
 */
import {
	openRegistry,
	type ServiceRow,
	servicesRegistryPath,
} from "../_state/services-registry.ts";
import { noteEnd, noteTick } from "./_service_health/gap.ts";
import {
	type HealthMemory,
	type HealthPlace,
	healthMemory,
	lookAfter,
	sayOnce,
} from "./_service_health/look-after.ts";
import type { HealthSettings } from "./_service_health/machine.ts";
import { healthSettings } from "./_service_health/settings.ts";
import type { TaskRun, TaskSpec } from "./context.ts";

export const serviceHealthTask: TaskSpec = {
	name: "service_health",
	intervalSeconds: (config) =>
		config["monitor.service_health.interval_seconds"],
	enabled: (config) => config["monitor.service_health.enabled"],
	class: "medium",
	async: true,
	make: (ctx) => {
		const memory = healthMemory();
		return (run) => serviceHealthTick(run, ctx, memory);
	},
};

/** More at once would only crowd the machine. */
const AT_ONCE = 4;
/** One that takes longer only waits, and makes room: many that hang must not keep the others from their turn. */
const BUSY_MS = 5000;
/** From a look at which a gap held everything to the next one: on a machine that mostly sleeps the next tick is after a gap, too. */
const AGAIN_MS = 30_000;

/** Exit code 1 when the registry cannot be read, or the run was broken off; no registry is no services. */
export async function serviceHealthTick(
	run: TaskRun,
	place: HealthPlace,
	memory: HealthMemory,
): Promise<{ readonly rc: number }> {
	const { doors } = run;
	const { config, root } = place;
	const settings = healthSettings(config);
	const { proc } = doors;
	const path = servicesRegistryPath(proc.env, root);
	const policy = config["monitor.service_health.default_policy"];
	const registry = openRegistry(doors.files, proc.env, root, policy);
	if (registry.kind === "unreadable") {
		run.log(`registry not readable: ${path}: ${registry.error}`);
		return { rc: 1 };
	}
	if (registry.kind === "absent") return { rc: 0 };
	for (const warning of registry.warnings)
		sayOnce(run, memory, `${path}: ${warning}`);
	noteTick(memory.gap, doors.clock, run.afterGap, settings.intervalSeconds);
	try {
		await lookAfterAll(run, place, settings, memory, registry.rows);
	} finally {
		noteEnd(memory.gap, doors.clock);
	}
	return { rc: run.signal.aborted ? 1 : 0 };
}

async function lookAfterAll(
	run: TaskRun,
	place: HealthPlace,
	settings: HealthSettings,
	memory: HealthMemory,
	rows: readonly ServiceRow[],
): Promise<void> {
	const waiting = [...rows];
	const { clock } = run.doors;
	const underWay: Promise<unknown>[] = [];
	const worker = async (): Promise<void> => {
		for (let row = waiting.shift(); row; row = waiting.shift()) {
			if (run.signal.aborted) return;
			const { name } = row;
			const ended = new AbortController();
			const look = lookAgainAfterGap(run, place, settings, memory, row)
				.catch((error) => run.log(`service ${name}: ${String(error)}`))
				.finally(() => ended.abort());
			underWay.push(look);
			await clock.sleep(BUSY_MS, AbortSignal.any([ended.signal, run.signal]));
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	await Promise.all(underWay);
}

/** Once more when the first look was held; not while the whole run is one after a gap. */
async function lookAgainAfterGap(
	run: TaskRun,
	...what: readonly [HealthPlace, HealthSettings, HealthMemory, ServiceRow]
): Promise<void> {
	if ((await lookAfter(run, ...what)) === "over" || run.afterGap) return;
	const slept = await run.doors.clock.sleep(AGAIN_MS, run.signal);
	if (slept !== "aborted") await lookAfter(run, ...what);
}
