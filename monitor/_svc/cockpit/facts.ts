/** Looks at everything the cockpit shows (contract 06 §7.1): the core at once, the services as fast as their checks. */
import { dirname } from "node:path";
import { gatherLiveness } from "../../_liveness/liveness-facts.ts";
import { livenessLimits } from "../../_liveness/liveness-limits.ts";
import { livenessVerdict, type Verdict } from "../../_liveness/verdict.ts";
import {
	listWatcherGroups,
	type WatcherGroup,
	watcherIdentity,
} from "../../_liveness/watcher-process.ts";
import { orchestratorTurnEndAt } from "../../_state/orchestrator-heartbeat.ts";
import { isRespawnGuardTripped } from "../../_state/respawn-history.ts";
import {
	openRegistry,
	type RegistryResult,
	servicesRegistryPath,
} from "../../_state/services-registry.ts";
import type { Settings } from "../../_state/settings.ts";
import { supervisorBeatAt } from "../../_state/supervisor-heartbeat.ts";
import { peekWatcherHeartbeat } from "../../_state/watcher-heartbeat.ts";
import { stopRequested } from "../../_state/watcher-stop-requested.ts";
import { readWatcherTarget } from "../../_state/watcher-target.ts";
import type { Doors, Files, WriteResult } from "../../_sys/doors.ts";
import { gatherServices, type ServicesFacts } from "./services.ts";

/** What costs milliseconds, whatever the services do. */
export interface CoreFacts {
	readonly now: number;
	readonly stateDir: string;
	readonly registry: string;
	readonly fs: WriteResult;
	readonly verdict: Verdict;
	/** Is the verdict's pid a live watcher of ours? */
	readonly pidLives: boolean;
	/** `svc stop watcher` was the last word. */
	readonly stopped: boolean;
	/** Null when the process table could not be read. */
	readonly groups: readonly WatcherGroup[] | null;
	readonly supervisorBeatAt: number | null;
	readonly supervisorStaleSeconds: number;
	/** The window that the running watcher pastes into; else the configured one. */
	readonly target: string;
	/** `unknown` = tmux could not be asked. */
	readonly targetPresence: "up" | "down" | "unknown";
	readonly turnEndAt: number | null;
	/** It ended right after each start, and is started anew at long intervals only. */
	readonly diesAtStart: boolean;
}
export interface StackFacts extends CoreFacts {
	readonly services: ServicesFacts;
}

type Look = Pick<Doors, "files" | "proc" | "clock" | "locks" | "tmux">;

/** Core and services together; `only` looks at the one service of that name. */
export async function gatherStack(
	doors: Look,
	settings: Settings,
	opts: { readonly only?: string; readonly signal?: AbortSignal } = {},
): Promise<StackFacts> {
	const { home, config } = settings;
	const [core, services] = await Promise.all([
		gatherCore(doors, settings),
		gatherServices(doors, registryOf(doors, settings), {
			home,
			...opts,
			boundSeconds: config.SVC_STATUS_HEALTH_TIMEOUT,
		}),
	]);
	return { ...core, services };
}

/** The registry that these settings mean, as it stands now. */
export function registryOf(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	{ home, config }: Settings,
): RegistryResult {
	const policy = config["monitor.service_health.default_policy"];
	return openRegistry(files, proc.env, home.root, policy);
}

/** All but the services, whose checks may take long. Writes only a probe. */
export async function gatherCore(
	doors: Look,
	{ home, config }: Settings,
): Promise<CoreFacts> {
	const { files, proc } = doors;
	const { stateDir } = home;
	const identity = watcherIdentity(files, stateDir, home.codeRoot);
	const liveness = gatherLiveness(doors, stateDir, identity);
	const groups = listWatcherGroups(doors, identity);
	const beat = peekWatcherHeartbeat(files, stateDir);
	const target =
		(beat.kind === "ok" ? beat.value.target : null) ||
		readWatcherTarget(files, stateDir) ||
		config["monitor.target_window"];
	return {
		now: doors.clock.now(),
		stateDir,
		registry: servicesRegistryPath(proc.env, home.root),
		fs: files.probeWritable(nearestFolder(files, stateDir)),
		verdict: livenessVerdict(
			liveness,
			livenessLimits(proc.env, config["monitor.interval_seconds"]),
		),
		pidLives: liveness.pidLooks === "live",
		stopped: stopRequested(files, stateDir) === "yes",
		groups: groups.kind === "ok" ? groups.value : null,
		supervisorBeatAt: supervisorBeatAt(files, stateDir),
		supervisorStaleSeconds:
			config["monitor.watcher_supervisor.heartbeat_stale_seconds"],
		target,
		targetPresence: await presenceOf(doors, target),
		turnEndAt: orchestratorTurnEndAt(files, stateDir),
		diesAtStart: isRespawnGuardTripped(files, stateDir),
	};
}

/** Never a cached descriptor, never a stat: only a write tells a read-only disk. */
function nearestFolder(files: Files, path: string): string {
	let at = path;
	while (files.stat(at).kind === "absent" && at !== dirname(at))
		at = dirname(at);
	return at;
}

async function presenceOf(
	{ tmux, proc }: Pick<Doors, "tmux" | "proc">,
	target: string,
): Promise<StackFacts["targetPresence"]> {
	if (proc.which("tmux") === null) return "unknown";
	const panes = await tmux.panes();
	if (panes.kind !== "ok") return "unknown";
	const rows = panes.rows.filter((r) => r.windowName === target);
	// Listed with only dead panes is missing (contract 04 §4.3).
	return rows.some((r) => r.paneDead !== "1") ? "up" : "down";
}
