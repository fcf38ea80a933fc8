/** What each step of the start does (contract 01 §2.1.6–14). A step answers a refusal, or nothing. */
import {
	crossFieldWarnings,
	loadedLine,
	startupSummary,
} from "../../../config/watcher.ts";
import {
	checkWatcher,
	watcherIdentity,
} from "../../_liveness/watcher-process.ts";
import { asyncRunsDir } from "../../_state/async-run.ts";
import { archiveDir } from "../../_state/emit-archive.ts";
import { refreshUsedHookBundles } from "../../_state/hook-bundles.ts";
import { removeBeacon } from "../../_state/instance-heartbeat.ts";
import { lastSnapshotPath } from "../../_state/last-snapshot.ts";
import { skepticPendingDir } from "../../_state/skeptic.ts";
import { sweepStageDir } from "../../_state/staging.ts";
import { stateDirFromEnv } from "../../_state/state-dir.ts";
import { unstickDir } from "../../_state/unstick.ts";
import { writeWatcherConfigHash } from "../../_state/watcher-config-hash.ts";
import {
	peekWatcherLock,
	releaseWatcherLock,
	writeWatcherLock,
} from "../../_state/watcher-lock.ts";
import {
	releaseWatcherPid,
	writeWatcherPid,
} from "../../_state/watcher-pid.ts";
import { writeWatcherTarget } from "../../_state/watcher-target.ts";
import type { Doors, HeldLock, WriteResult } from "../../_sys/doors.ts";
import { programName } from "../../_sys/names.ts";
import type { WatcherContext } from "../context.ts";
import type { ExitCleanup } from "./exit-cleanup.ts";
import { type Self, takeInstance } from "./instance.ts";
import type { Refusal, StartupStep } from "./plan.ts";
import { recordSource } from "./record-source.ts";
import { sweepScratch } from "./scratch.ts";

export interface StartupWorld {
	readonly doors: Doors;
	readonly ctx: WatcherContext;
	readonly self: Self;
	readonly cleanup: ExitCleanup;
	readonly ticker: { readonly keep: () => void; readonly stop: () => void };
	/** Writes the first `last-snapshot.txt`; false when no snapshot could be taken. */
	readonly takeBaseline: () => Promise<boolean>;
	readonly sweep: () => Promise<void>;
}

export type StepOutcome = Refusal | null;
export type StartupSteps = Readonly<
	Record<StartupStep, () => StepOutcome | Promise<StepOutcome>>
>;

/**
 * What a step takes it gives back in `cleanup`. A disk that takes no writes refuses no start: the loop raises that
 * alarm.
 */
export function startupSteps(w: StartupWorld): StartupSteps {
	let lock: HeldLock | null = null;
	const { ctx, doors, cleanup } = w;
	const { files, clock, proc, log } = doors;
	const { stateDir, config, target, vitals } = ctx;
	// A state dir that cannot be written does not refuse the start: the loop's write probe raises the alarm and waits.
	const written = (what: string, result: WriteResult) => {
		if (result.kind === "failed")
			log.warn(`could not write ${what}: ${result.reason}`);
		return null;
	};

	return {
		"make-folders": () => {
			for (const dir of foldersIn(stateDir)) written(dir, files.mkdir(dir));
			cleanup.add(() => files.removeTree(ctx.scratchDir));
			return null;
		},
		"instance-lock": async () => {
			if (lock !== null) return null;
			const window = config["monitor.instance_heartbeat_staleness_seconds"];
			const taken = await takeInstance(doors, stateDir, w.self, window);
			if (taken.kind === "refused") return taken;
			lock = taken.lock;
			cleanup.add(() => taken.lock?.release());
			cleanup.add(() => removeBeacon(files, stateDir, w.self.nonce));
			return null;
		},
		heartbeat: () => written("the heartbeat", vitals.beat()),
		pidfile: () => {
			cleanup.add(() => releaseWatcherPid(files, stateDir, proc.pid));
			return written("the pidfile", writeWatcherPid(files, stateDir, proc.pid));
		},
		"watcher-lock": () => {
			const holder = liveHolder(w);
			if (holder !== null) return lockRefusal(holder);
			cleanup.add(() => releaseWatcherLock(files, stateDir, proc.pid));
			const lock = {
				pid: proc.pid,
				startedAt: clock.iso(),
				targetWindow: target,
				tmuxWindow: proc.env.WATCHER_WINDOW || "unknown",
				intervalSeconds: config["monitor.interval_seconds"],
			};
			return written("watcher.lock", writeWatcherLock(files, stateDir, lock));
		},
		"sweep-stage": () => {
			sweepScratch({ files, clock }, stateDir, ctx.scratchDir);
			return written("the stage folder", sweepStageDir(files, ctx.stageDir));
		},
		"reset-cycle": () => {
			written("the cycle clock", vitals.cycleReset());
			return written("the progress", vitals.progress("startup"));
		},
		ticker: () => {
			cleanup.add(w.ticker.stop);
			w.ticker.keep();
			return null;
		},
		"target-file": () =>
			written("the target", writeWatcherTarget(files, stateDir, target)),
		"config-hash": () =>
			written(
				"the config's hash",
				writeWatcherConfigHash(files, stateDir, config.file.sha256),
			),
		"record-source": () => {
			const why = recordSource(doors, ctx);
			if (why !== null) log.warn(`the running source is not recorded: ${why}`);
			return null;
		},
		baseline: async () => {
			if (files.stat(lastSnapshotPath(stateDir)).kind !== "absent") return null;
			return (await w.takeBaseline()) ? null : NO_BASELINE;
		},
		announce: () => {
			announce(doors, ctx);
			return null;
		},
		"hook-bundles": async () => {
			const done = await refreshUsedHookBundles(doors, ctx);
			if (done.kind === "failed")
				log.warn(`agents run older hooks than the checkout's: ${done.reason}`);
			return null;
		},
		sweep: async () => {
			await w.sweep();
			return null;
		},
		"startup-done": () => {
			written("the cycle clock", vitals.cycleEnded());
			written("the progress", vitals.progress("startup:done"));
			return written("the heartbeat", vitals.beat());
		},
	};
}

const NO_BASELINE: Refusal = {
	kind: "refused",
	exit: 1,
	lines: ["no first snapshot could be taken; not starting"],
};

/** The last two for `ng degraded`: a folder that nobody has needed yet is no fault of the disk. */
function foldersIn(stateDir: string): readonly string[] {
	return [
		stateDir,
		archiveDir(stateDir),
		unstickDir(stateDir),
		skepticPendingDir(stateDir),
		asyncRunsDir(stateDir),
	];
}

/** What an operator finds in the log first: the configuration, and what is odd about this start. */
function announce(
	{ log, proc }: Doors,
	{ config, target }: WatcherContext,
): void {
	log.info(
		config.file.sha256 === ""
			? "config: no file; environment and defaults alone"
			: loadedLine(config.file),
	);
	const { deadThreshold } = config;
	if (deadThreshold.verdict === "clamped")
		log.info(
			`config: the dead threshold is raised to ${deadThreshold.seconds}s, past the gap between two heartbeat pastes`,
		);
	if (isUnrecognisable(proc))
		log.warn(
			`started without NEXUS_ROOT and NEXUS_STATE_DIR in its environment: others cannot tell whose watcher this is; \`${programName("launcher")}\` sets them`,
		);
	for (const line of crossFieldWarnings(config)) log.warn(`config: ${line}`);
	log.info(startupSummary(config, target));
}

/** Who looks at this process reads the environment it was started with (contract 00 R2). */
function isUnrecognisable(proc: Doors["proc"]): boolean {
	const own = proc.environ(proc.pid);
	return own.kind === "ok" && stateDirFromEnv(own.value) === null;
}

/** A pid that is dead or was recycled by another program holds nothing. */
function liveHolder({ doors, ctx }: StartupWorld): number | null {
	const held = peekWatcherLock(doors.files, ctx.stateDir);
	const pid = held.kind === "ok" ? held.value.pid : null;
	if (pid === null || pid === doors.proc.pid) return null;
	const identity = watcherIdentity(doors.files, ctx.stateDir, ctx.codeRoot);
	const check = checkWatcher(doors, pid, identity);
	return check === "live" || check === "unreadable" ? pid : null;
}

function lockRefusal(pid: number): Refusal {
	return {
		kind: "refused",
		exit: 3,
		lines: [`watcher.lock names a live watcher: pid ${pid}; not starting`],
	};
}
