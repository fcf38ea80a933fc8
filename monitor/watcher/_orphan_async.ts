/**
 * `orphan_async_scan`, `orphan_async_wakes`: a worker that ended its turn with declared outside work and no wake-up of its
 * own is woken with what became of it (contract 08 §4.3).
 */
import type { WatcherConfig } from "../../config/watcher.ts";
import { makeLookAt } from "../_pane/look.ts";
import { readerSettings } from "../_pane/settings.ts";
import { lookAtToken } from "../_state/async-run-look.ts";
import { readOrphanRows } from "../_state/orphan-async.ts";
import {
	readServiceNames,
	servicesRegistryPath,
} from "../_state/services-registry.ts";
import type { OrphanSettings } from "./_orphan_async/decide.ts";
import type { BriefDelivery } from "./_orphan_async/deliver-brief.ts";
import {
	accountingAnswer,
	accountingArgv,
	type WaitSources,
} from "./_orphan_async/resolve.ts";
import { recordScan, seenWorkers } from "./_orphan_async/scan.ts";
import { tryRow, type WakeDeps } from "./_orphan_async/wake.ts";
import type { TaskRun, TaskSpec, WatcherContext } from "./context.ts";

const isEnabled = (config: WatcherConfig) =>
	config.MONITOR_ORPHAN_ASYNC_ENABLED;

export const orphanAsyncScanTask: TaskSpec = {
	name: "orphan_async_scan",
	intervalSeconds: () => 60,
	enabled: isEnabled,
	class: "expensive",
	async: true,
	make: (ctx) => async (run) => {
		const { files, proc } = run.doors;
		const services = readServiceNames(
			files,
			servicesRegistryPath(proc.env, ctx.root),
		);
		const seen = seenWorkers(await ctx.fleetThisTick(), {
			target: ctx.target,
			servicesWindow: ctx.config["monitor.services_window"],
			services: services.kind === "ok" ? services.names : new Set(),
		});
		// Could not look: every row stays as it is.
		if (seen === null || run.signal.aborted) return { rc: 1 };
		const settings = orphanSettings(ctx.config);
		return recordScan(run.doors, ctx.stateDir, seen, settings);
	},
};

/** `deliver` puts a brief into a worker's pane; `deliverBrief` is the one that does. */
export function orphanAsyncWakesTask(deliver: BriefDelivery): TaskSpec {
	return {
		name: "orphan_async_wakes",
		intervalSeconds: () => 15,
		enabled: isEnabled,
		class: "cheap",
		async: false,
		make: (ctx) => async (run) => {
			const read = readOrphanRows(run.doors, ctx.stateDir);
			if (read.kind === "unreadable") return { rc: 1 };
			const deps = wakeDeps(ctx, deliver);
			const { clock } = run.doors;
			const begun = clock.monoMs();
			// Who waits longest comes first, so that a slow accounting starves nobody.
			const rows = read.rows.toSorted((a, b) => a.nextAttempt - b.nextAttempt);
			for (const row of rows) {
				if (run.signal.aborted || clock.monoMs() - begun > LOOKS_MS) break;
				// A delivery may take 20 s and a tick waits for 30: the next row has its turn in the next run.
				if (await tryRow(deps, run, row)) break;
			}
			return { rc: 0 };
		},
	};
}

/** After this long no further row is begun: a delivery is to end within the tick. */
const LOOKS_MS = 2000;

function wakeDeps(ctx: WatcherContext, deliver: BriefDelivery): WakeDeps {
	const { stateDir, scratchDir, config } = ctx;
	return {
		stateDir,
		scratchDir,
		deliver: (run, window, file) => deliver(ctx, run, window, file),
		settings: orphanSettings(config),
		sources: (run) => waitSources(run, stateDir),
		lookAt: ({ doors }) =>
			makeLookAt({
				doors,
				stateDir,
				settings: { ...readerSettings(config), targetWindow: ctx.target },
			}),
	};
}

const ACCOUNTING_MS = 5000;

function waitSources(
	{ doors: { files, proc }, signal }: TaskRun,
	stateDir: string,
): WaitSources {
	const look = { files, statOf: (pid: number) => proc.stat(pid) };
	return {
		asyncRun: (token) => lookAtToken(look, stateDir, null, token),
		slurmStates: async (jobId) => {
			const limit = { timeoutMs: ACCOUNTING_MS, signal };
			return accountingAnswer(await proc.exec(accountingArgv(jobId), limit));
		},
	};
}

function orphanSettings(config: WatcherConfig): OrphanSettings {
	return {
		grace: config.MONITOR_ORPHAN_ASYNC_GRACE_SECONDS,
		retry: config.MONITOR_ORPHAN_ASYNC_RETRY_SECONDS,
		cooldown: config.MONITOR_ORPHAN_ASYNC_COOLDOWN_SECONDS,
		maxHold: config.MONITOR_ORPHAN_ASYNC_MAX_HOLD_SECONDS,
	};
}
