/**
 * `version_check`: what runs older code than the disk holds is restarted, or asked for (contract 06 §9). The watcher
 * restarts itself, services are restarted through `svc`, the cockpit's window is a person's and never touched.
 */
import {
	openRegistry,
	servicesRegistryPath,
} from "../_state/services-registry.ts";
import { programName } from "../_sys/names.ts";
import { rememberedSources, sourceHash } from "../_sys/source-hash.ts";
import { checkCockpit } from "./_version_restart/cockpit.ts";
import type { VersionCheck } from "./_version_restart/component.ts";
import { restartWatcherOnDrift } from "./_version_restart/own-code.ts";
import { checkService } from "./_version_restart/service.ts";
import type { TaskRun, TaskSpec, WatcherContext } from "./context.ts";

export const versionCheckTask: TaskSpec = {
	name: "version_check",
	intervalSeconds: (config) =>
		config["monitor.version_restart.interval_seconds"],
	enabled: (config) => config["monitor.version_restart.enabled"],
	class: "medium",
	async: true,
	make: (ctx) => {
		const memory = versionMemory();
		return (run) => versionTick(run, ctx, memory);
	},
};

export type VersionPlace = VersionCheck["place"];

/** What one watcher process remembers between its ticks. */
export interface VersionMemory {
	/** What was read of the programs' files; a look at each of them tells what changed. */
	sources: ReturnType<typeof rememberedSources> | null;
	/** Said once. */
	readonly told: Set<string>;
}

/** Empty; it lives as long as the process. */
export function versionMemory(): VersionMemory {
	return { sources: null, told: new Set() };
}

/**
 * Nothing is restarted after a gap of the clock, and nothing else is begun when the watcher restarts itself. Always
 * exit code 0.
 */
export async function versionTick(
	run: TaskRun,
	place: Pick<
		WatcherContext,
		"root" | "stateDir" | "codeRoot" | "target" | "config" | "panesThisTick"
	>,
	memory: VersionMemory,
): Promise<{ readonly rc: number }> {
	// After a gap nothing is restarted; the disk is as new a minute later.
	if (run.afterGap) return { rc: 0 };
	const { files } = run.doors;
	memory.sources ??= rememberedSources(files);
	const { sources } = memory;
	const hashOf = (entry: string): string | null => {
		const found = sourceHash(sources, place.codeRoot, entry);
		return found.kind === "ok" ? found.hash : null;
	};
	const check: VersionCheck = {
		run,
		place,
		now: run.doors.clock.now(),
		settle: place.config["monitor.version_restart.settle_seconds"],
		sayOnce: (line) => {
			if (memory.told.has(line)) return;
			memory.told.add(line);
			run.log(line);
		},
	};
	const replaced = restartWatcherOnDrift(
		check,
		hashOf(programName("watcherMain")),
	);
	// The launcher is about to end this process: nothing else is begun.
	if (replaced) return { rc: 0 };
	await checkCockpit(check, hashOf(programName("svc")));
	await checkServices(check);
	return { rc: 0 };
}

async function checkServices(check: VersionCheck): Promise<void> {
	const { run, place } = check;
	const { files, proc } = run.doors;
	const path = servicesRegistryPath(proc.env, place.root);
	const policy = place.config["monitor.service_health.default_policy"];
	const registry = openRegistry(files, proc.env, place.root, policy);
	if (registry.kind === "unreadable")
		check.sayOnce(`registry not readable: ${path}: ${registry.error}`);
	if (registry.kind !== "rows") return;
	for (const row of registry.rows) {
		if (run.signal.aborted) return;
		// The restart of the one before may have taken minutes.
		await checkService({ ...check, now: run.doors.clock.now() }, row);
	}
}
