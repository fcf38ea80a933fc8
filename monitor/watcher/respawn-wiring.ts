/** Joins the parts of the orchestrator's life, which must not know each other: absence, liveness, respawn, replacement, delivery. */
import type { Config } from "../../config/schema.ts";
import type { PasteDeps } from "../_delivery/paste-to-target.ts";
import { pasteWithRetry } from "../_delivery/paste-with-retry.ts";
import { DELIVERIES } from "../_delivery/sequences.ts";
import { commitPendingRequests } from "../_emit/pending-requests.ts";
import { respawnLimits } from "../_liveness/pass-respawn-guard.ts";
import { monitorCommand } from "../_liveness/supervisor-text.ts";
import type { Home } from "../_state/home.ts";
import { stampFreshSpawn } from "../_state/orchestrator-fresh-spawn.ts";
import { readPin } from "../_state/orchestrator-session-id.ts";
import { resetDeliveryState } from "../_state/requests-emit.ts";
import { bell } from "../_sys/bell.ts";
import type { Doors } from "../_sys/doors.ts";
import { resolveActivePane, sameServer } from "../_sys/tmux-lookup.ts";
import { resubmitRescue } from "./_orchestrator_liveness/rescue.ts";
import type { LivenessHands } from "./_orchestrator_liveness.ts";
import { briefLeftWindow, respawnAgent } from "./_respawn/agent.ts";
import { unreadReports } from "./_respawn/unread.ts";
import {
	chooseResumeMode,
	type RespawnDeps,
	type ResumeMode,
	respawnOrchestrator,
	respawnSettings,
	transcriptPaths,
	verifyTargetAbsent,
} from "./_respawn.ts";
import { onceAtATime } from "./_respawn_async/once-at-a-time.ts";
import { type RespawnRun, respawnFlight } from "./_respawn_async.ts";
import { renderFresh, renderResume } from "./_respawn_prompts.ts";
import { type FreshSpawnRequest, spawnFresh } from "./_spawn_fresh.ts";
import {
	type AbsenceHandler,
	absenceHandler,
} from "./_target_absent/handler.ts";
import type { TaskRun, WatcherContext } from "./context.ts";
import type { PaneHands } from "./emit-wiring.ts";

export interface RespawnWiring {
	readonly absence: AbsenceHandler;
	readonly liveness: LivenessHands;
	/** Goes on with what a watcher that died in mid-respawn left. */
	readonly recover: (run: TaskRun) => Promise<void>;
	/** At the watcher's end. */
	readonly cancel: () => Promise<void>;
}

type Place = Pick<WatcherContext, "target"> &
	Home & { readonly config: Config };

export function respawnWiring(
	doors: Doors,
	ctx: Place,
	handsOf: PaneHands,
): RespawnWiring {
	const { stateDir, root, config, target } = ctx;
	const flight = respawnFlight(doors, stateDir);
	const depsOf = (run: RespawnRun) => respawnDeps(ctx, handsOf(ctx, run), run);
	const prompt = promptOf(ctx, doors);
	const rescue = onceAtATime(doors);
	return {
		absence: absenceHandler({
			stateDir,
			target,
			limits: respawnLimits(config),
			confirmingPolls: config["monitor.agent_missing_respawn_delay"],
			inFlight: flight.inFlight,
			reap: flight.reap,
			verify: (run, since) => {
				const { lookAt } = handsOf(ctx, run);
				const { reprobeMs } = respawnSettings(config);
				const deps = { doors: run.doors, lookAt, root, stateDir, reprobeMs };
				return verifyTargetAbsent(deps, target, since, run.signal);
			},
			launch: (reason, since) =>
				flight.launch((run) =>
					respawnAgent(depsOf(run), {
						target,
						reason,
						since,
						signal: run.signal,
						prompt: prompt(reason),
					}),
				),
		}),
		liveness: {
			transcripts: (sid) => transcriptPaths(doors.proc.env, root, sid),
			lookAtTarget: async (run) => {
				const rows = await run.doors.tmux.panes(run.signal);
				const pane = resolveActivePane(rows, target);
				if (pane.kind !== "present") return null;
				return handsOf(ctx, run).lookAt(pane.value, run.signal);
			},
			replace: (run, reason) => {
				const { files, clock } = run.doors;
				const previousSid = readPin(files, stateDir) ?? "";
				if (flight.inFlight()) return false;
				// Before it starts: one that crashes halfway must not start again at once.
				stampFreshSpawn(files, stateDir, clock.now());
				const request = { target, reason, previousSid, fresh: false };
				const started = flight.launch((r) =>
					replaceOrchestrator(ctx, depsOf(r), request),
				);
				void bell(doors.proc, `the orchestrator is replaced: ${reason}`);
				return started === 0;
			},
			rescue: () =>
				rescue((signal) => rescueReport(ctx, doors, handsOf, signal)),
		},
		recover: async (run) => {
			const left = flight.recover();
			if (left.kind !== "unbriefed") return;
			const { windowId, server } = left;
			const rows = await run.doors.tmux.panes(run.signal);
			const lives =
				rows.kind === "ok" &&
				rows.rows.some(
					(row) =>
						row.windowId === windowId &&
						row.paneDead !== "1" &&
						sameServer(row.server, server),
				);
			if (!lives) return run.log("respawn interrupted: its window is gone");
			const reason = `the watcher ended while it replaced window '${target}'`;
			run.log(`respawn goes on in window ${windowId}: it was not briefed yet`);
			flight.launch((r) => {
				r.onStage({ kind: "spawned", windowId, server });
				return briefLeftWindow(depsOf(r), windowId, {
					target,
					reason,
					since: 0,
					signal: r.signal,
					prompt: prompt(reason),
				});
			});
		},
		cancel: async () => {
			rescue.cancel();
			await flight.cancel();
		},
	};
}

/** The same by hand, from a process of its own: it stands in the record of respawns, so that the watcher begins none beside it. */
export async function replaceOnce(
	doors: Doors,
	place: Place,
	handsOf: PaneHands,
	request: FreshSpawnRequest,
): Promise<number> {
	const flight = respawnFlight(doors, place.stateDir);
	const started = flight.launch((run) =>
		replaceOrchestrator(
			place,
			respawnDeps(place, handsOf(place, run), run),
			request,
		),
	);
	if (started !== 0) {
		doors.log.warn(
			started === 1
				? "a respawn runs already; nothing was done"
				: "the respawn could not be written down; nothing was done",
		);
		return 1;
	}
	await flight.settled();
	return flight.reap() ?? 1;
}

/** Replaces a wedged orchestrator, and lets what was delivered to the old one be told again. */
async function replaceOrchestrator(
	place: Place,
	deps: RespawnDeps & { readonly signal?: AbortSignal },
	request: FreshSpawnRequest,
): Promise<number> {
	const { doors, home } = deps;
	const rc = await spawnFresh(
		{
			doors,
			home,
			configuredTarget: place.target,
			armCommand: monitorCommand(place.codeRoot),
			chooseMode: () => chooseResumeMode(doors, home),
			respawn: (target, mode, promptFile) =>
				respawnOrchestrator(deps, {
					target,
					mode,
					promptFile,
					signal: deps.signal,
					forceReplace: true,
					streakStart: 0,
				}),
		},
		request,
	);
	if (rc === 0 || rc === 4) await resetDeliveryState(doors, home.stateDir);
	return rc;
}

function respawnDeps(
	place: Omit<Place, "target">,
	hands: PasteDeps,
	run: RespawnRun,
): RespawnDeps & { readonly signal: AbortSignal } {
	const { root, stateDir, codeRoot } = place;
	return {
		...hands,
		doors: run.doors,
		home: { root, stateDir, codeRoot },
		settings: respawnSettings(place.config),
		onStage: run.onStage,
		signal: run.signal,
	};
}

function promptOf({ target, root, stateDir, codeRoot }: Place, doors: Doors) {
	const armCommand = monitorCommand(codeRoot);
	return (reason: string) => (mode: ResumeMode) => {
		const facts = { reason, target, root, codeRoot, armCommand };
		return mode.kind === "resume"
			? renderResume(
					facts,
					mode.sessionId,
					unreadReports(doors, stateDir, mode.sessionId),
				)
			: renderFresh(facts, mode.insteadOf);
	};
}

function rescueReport(
	ctx: Place,
	doors: Doors,
	handsOf: PaneHands,
	signal: AbortSignal,
): Promise<void> {
	const { stateDir, target: window } = ctx;
	return resubmitRescue({
		doors,
		stateDir,
		paste: async (file) => {
			const stamp = "no-liveness-stamp";
			const { role } = DELIVERIES.S9;
			const request = { window, file, stamp, role, signal } as const;
			return (await pasteWithRetry(handsOf(ctx, { doors }), request)).rc;
		},
		commitEmitted: (body) => commitPendingRequests(doors, stateDir, body),
	});
}
