/** Joins the parts of the orchestrator's life, which must not know each other: absence, liveness, respawn, replacement, delivery. */
import { pasteWithRetry } from "../_delivery/paste-with-retry.ts";
import { DELIVERIES } from "../_delivery/sequences.ts";
import { withTempFile } from "../_delivery/temp-file.ts";
import { unreadFinder, unreadReports } from "../_delivery/unread-reports.ts";
import { commitPendingRequests } from "../_emit/pending-requests.ts";
import { respawnLimits } from "../_liveness/pass-respawn-guard.ts";
import { monitorCommand } from "../_liveness/supervisor-text.ts";
import type { LookAt, LookResult } from "../_pane/types.ts";
import { stampFreshSpawn } from "../_state/orchestrator-fresh-spawn.ts";
import { readPin } from "../_state/orchestrator-session-id.ts";
import type { Doors, PaneRow } from "../_sys/doors.ts";
import { resolveActivePane, sameServer } from "../_sys/tmux-lookup.ts";
import type { LivenessHands } from "./_orchestrator_liveness/hands.ts";
import { whyItStays } from "./_orchestrator_liveness/last-look.ts";
import { resubmitRescue } from "./_orchestrator_liveness/rescue.ts";
import { briefLeftWindow, respawnAgent } from "./_respawn/agent.ts";
import { learnEnd, learnPresence } from "./_respawn/learn-start.ts";
import { sessionBefore } from "./_respawn/resume-choice.ts";
import {
	type ResumeMode,
	respawnSettings,
	transcriptPaths,
	verifyTargetAbsent,
} from "./_respawn.ts";
import { onceAtATime } from "./_respawn_async/once-at-a-time.ts";
import { type RespawnRun, respawnFlight } from "./_respawn_async.ts";
import { renderFresh, renderResume } from "./_respawn_prompts.ts";
import {
	type AbsenceHandler,
	absenceHandler,
} from "./_target_absent/handler.ts";
import { type LookForLoss, lookForLoss } from "./_target_window/successor.ts";
import type { TaskRun, WatcherContext } from "./context.ts";
import type { PaneHands } from "./emit-wiring.ts";
import {
	type Place,
	replaceOrchestrator,
	respawnDeps,
	ringsWhenReplaced,
} from "./replace-wiring.ts";

export interface RespawnWiring {
	readonly absence: AbsenceHandler;
	readonly liveness: LivenessHands;
	/** Tells a person's new orchestrator what the one before never read. */
	readonly successor: LookForLoss;
	/** Goes on with what a watcher that died in mid-respawn left. */
	readonly recover: (run: TaskRun) => Promise<void>;
	/** At the watcher's end. */
	readonly cancel: () => Promise<void>;
}

/** One a process: the flight, the rescue and what is told again each run once at a time. */
export function respawnWiring(
	doors: Doors,
	ctx: Place & Pick<WatcherContext, "scratchDir">,
	handsOf: PaneHands,
): RespawnWiring {
	const { stateDir, root, config, target } = ctx;
	const flight = respawnFlight(doors, stateDir);
	const depsOf = (run: RespawnRun) => respawnDeps(ctx, handsOf(ctx, run), run);
	const prompt = promptOf(ctx, doors);
	const rescue = onceAtATime(doors);
	const telling = onceAtATime(doors);
	const unread = unreadFinder(doors, stateDir);
	const transcripts = (sid: string) =>
		transcriptPaths(doors.proc.env, root, sid);
	return {
		absence: absenceHandler({
			stateDir,
			target,
			limits: respawnLimits(config),
			confirmingPolls: config["monitor.agent_missing_respawn_delay"],
			inFlight: flight.inFlight,
			ended: (run) => learnEnd(run.doors, stateDir),
			lives: (run) => learnPresence(run.doors, stateDir),
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
						scratchDir: ctx.scratchDir,
						signal: run.signal,
						prompt: prompt(reason),
					}),
				),
		}),
		liveness: {
			transcripts,
			lookAtTarget: (run) =>
				lookAtWindow(run, handsOf(ctx, run).lookAt, target),
			replace: (run, reason) => {
				const { files, clock } = run.doors;
				const previousSid = readPin(files, stateDir) ?? "";
				if (flight.inFlight()) return false;
				// Before it starts: one that crashes halfway must not start again at once.
				stampFreshSpawn(files, stateDir, clock.now());
				const request = { target, reason, previousSid, fresh: false };
				const judgedAt = clock.now();
				const pinned = previousSid === "" ? [] : transcripts(previousSid);
				const veto = async (r: RespawnRun) => {
					const seen = await lookAtWindow(r, handsOf(ctx, r).lookAt, target);
					const look = { stateDir, target, judgedAt, seen };
					return whyItStays(files, { ...look, transcripts: pinned });
				};
				const started = flight.launch((r) => {
					const deps = depsOf(ringsWhenReplaced(r, reason));
					return replaceOrchestrator(ctx, deps, request, () => veto(r));
				});
				return started === 0;
			},
			rescue: () =>
				rescue((signal) => rescueReport(ctx, doors, handsOf, signal)),
		},
		successor: lookForLoss({
			inFlight: flight.inFlight,
			unread: unread.find,
			forgetProven: unread.forgetProven,
			pinned: () => readPin(doors.files, stateDir),
			log: (text) => doors.log.warn(text),
			tell: (text, end) =>
				telling((signal) =>
					tellTarget(ctx, doors, handsOf, text, signal).then(
						end,
						(error: unknown) => {
							end(false);
							throw error;
						},
					),
				),
		}),
		recover: async (run) => {
			const left = flight.recover();
			if (left.kind !== "unbriefed") return;
			const { windowId, server } = left;
			if (!(await stillStands(run, left)))
				return run.log("respawn interrupted: its window is gone");
			const reason = `the watcher ended while it replaced window '${target}'`;
			run.log(`respawn goes on in window ${windowId}: it was not briefed yet`);
			flight.launch((r) => {
				r.onStage({ kind: "spawned", windowId, server });
				return briefLeftWindow(depsOf(r), windowId, {
					target,
					reason,
					since: 0,
					scratchDir: ctx.scratchDir,
					signal: r.signal,
					prompt: prompt(reason),
				});
			});
		},
		cancel: async () => {
			rescue.cancel();
			telling.cancel();
			await flight.cancel();
		},
	};
}

/** Null: the window could not be found. */
async function lookAtWindow(
	{ doors, signal }: Pick<TaskRun, "doors" | "signal">,
	lookAt: LookAt,
	window: string,
): Promise<LookResult | null> {
	const rows = await doors.tmux.panes(signal);
	const pane = resolveActivePane(rows, window);
	return pane.kind === "present" ? lookAt(pane.value, signal) : null;
}

/** A window that a watcher before us opened: it lives, on the very server that gave it its id. */
async function stillStands(
	{ doors, signal }: TaskRun,
	{ windowId, server }: Pick<PaneRow, "windowId" | "server">,
): Promise<boolean> {
	const rows = await doors.tmux.panes(signal);
	return (
		rows.kind === "ok" &&
		rows.rows.some(
			(row) =>
				row.windowId === windowId &&
				row.paneDead !== "1" &&
				sameServer(row.server, server),
		)
	);
}

function promptOf({ target, root, stateDir, codeRoot }: Place, doors: Doors) {
	const armCommand = monitorCommand(codeRoot);
	return (reason: string) => (mode: ResumeMode) => {
		const facts = { reason, target, root, codeRoot, armCommand };
		const before = sessionBefore(doors, stateDir, mode);
		const sessions = before === null ? [] : [before];
		const unread = unreadReports(doors, stateDir, sessions);
		return mode.kind === "resume"
			? renderResume(facts, mode.sessionId, unread)
			: renderFresh(facts, mode.insteadOf, unread);
	};
}

async function tellTarget(
	ctx: Place,
	doors: Doors,
	handsOf: PaneHands,
	text: string,
	signal: AbortSignal,
): Promise<boolean> {
	const { target: window } = ctx;
	const { role } = DELIVERIES.S9;
	const pasted = await withTempFile(doors.files, text, (file) => {
		const request = { window, file, stamp: "stamp", role, signal } as const;
		return pasteWithRetry(handsOf(ctx, { doors }), request);
	});
	const words = pasted?.outcome ?? "its text could be put into no file";
	doors.log.info(`unread reports of the session before: ${words}`);
	return pasted?.rc === 0;
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
