/**
 * `target_window`: is the window that gets the reports there? (contract 01 §9.2, 04 §13.) A missing one is one ALERT an
 * episode, and is handed on to be replaced.
 */
import {
	followWaiting,
	type WaitingReports,
} from "../_delivery/report-queue.ts";
import { raise } from "../_emit/self-heal.ts";
import type { Sweep, SweptPane } from "../_pane/sweep.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import { targetPresence } from "../_sys/tmux-panes.ts";
import {
	asideName,
	type HollowMemory,
	hollowVerdict,
	NOT_HOLLOW,
} from "./_target_window/hollow.ts";
import {
	agentOf,
	insideOf,
	livesBeside,
	mayLiveInNextPane,
} from "./_target_window/inside.ts";
import type { LookForLoss } from "./_target_window/successor.ts";
import {
	NOTHING_SEEN,
	type TargetVerdict,
	targetVerdict,
} from "./_target_window/verdict.ts";
import type { TaskRun, TaskSpec, WatcherContext } from "./context.ts";

/** Who does something about a missing window. */
export interface AbsenceHands {
	readonly absence: {
		readonly present: (run: TaskRun) => void;
		/** Nobody could look, or the clock had a gap. */
		readonly reset: () => void;
		readonly missing: (run: TaskRun) => Promise<void>;
	};
	/** Who tells an agent that has taken another's place what was lost with that one. */
	readonly successor: LookForLoss;
	/** What a predecessor began and did not end; asked at the first look. */
	readonly recover: (run: TaskRun) => Promise<void>;
}

/** Every two seconds; its rc is the presence: 0 there, 1 could not look, 2 missing. */
export function targetWindowTask(hands: AbsenceHands): TaskSpec {
	const { absence, recover } = hands;
	return {
		name: "target_window",
		intervalSeconds: () => 2,
		class: "cheap",
		async: false,
		make: (ctx) => {
			const confirmingPolls = ctx.config["monitor.agent_missing_respawn_delay"];
			let memory = NOTHING_SEEN;
			let hollow = NO_LOOK;
			const waiting = followWaiting();
			let isFirst = true;
			return async (run) => {
				if (isFirst) await recover(run);
				isFirst = false;
				const rows = await ctx.panesThisTick();
				const presence = targetPresence(rows, ctx.target);
				const { next, verdict } = targetVerdict(
					memory,
					presence,
					run.afterGap,
					confirmingPolls,
				);
				memory = next;
				tell(ctx, run, verdict, next.misses);
				if (presence === 1 || run.afterGap) absence.reset();
				else if (presence === 0) absence.present(run);
				else await absence.missing(run);
				hollow =
					presence === 0
						? await lookInside(ctx, run, { hands, waiting }, hollow)
						: NO_LOOK;
				return { rc: presence };
			};
		},
	};
}

function tell(
	ctx: WatcherContext,
	run: TaskRun,
	verdict: TargetVerdict,
	misses: number,
): void {
	if (verdict === "quiet") return;
	const text = verdictText(verdict, ctx.target, misses);
	if (verdict === "absent") raise(run.doors, ctx.stateDir, text);
	else run.log(text);
	if (verdict === "blind") {
		appendAlert(run.doors, ctx.stateDir, "WARN", text);
		return;
	}
	// The missing window is itself news, and what waited goes out as soon as it is back.
	ctx.scheduler.fireNow("compose_emit");
	ctx.scheduler.override("compose_emit", 5, 60);
}

/** A look that another task has made will do; the same one twice is one look. */
const LOOK_MAX_AGE_MS = 15_000;

interface HollowWatch extends HollowMemory {
	readonly fleet: Sweep | null;
}
const NO_LOOK: HollowWatch = { ...NOT_HOLLOW, fleet: null };

interface InsideParts {
	readonly hands: AbsenceHands;
	readonly waiting: WaitingReports;
}

async function lookInside(
	ctx: WatcherContext,
	run: TaskRun,
	{ hands: { successor }, waiting }: InsideParts,
	memory: HollowWatch,
): Promise<HollowWatch> {
	const { target, stateDir, config } = ctx;
	if (run.afterGap) return NO_LOOK;
	const fleet = await ctx.fleetThisTick(LOOK_MAX_AGE_MS);
	if (fleet === memory.fleet) return memory;
	const pane =
		fleet.kind === "ok"
			? fleet.panes.find(({ row }) => row.windowName === target)
			: undefined;
	const now = run.doors.clock.now();
	const agent = pane === undefined ? null : agentOf(run.doors, pane);
	if (agent !== null && fleet.kind === "ok")
		successor(agent, (id) => livesBeside(id, agent, fleet.panes), now);
	const isBeside =
		pane !== undefined &&
		mayLiveInNextPane(run.doors, await ctx.panesThisTick(), pane.row);
	const { next, verdict } = hollowVerdict(
		memory,
		pane === undefined
			? { kind: "unknown" }
			: insideOf(run.doors, stateDir, pane, {
					waitingReports: waiting,
					isBeside,
				}),
		now,
		{
			looks: config["monitor.agent_dead_threshold"],
			shell: config.deadThreshold.seconds,
			// As long as a draft in the box may hold the reports up.
			heldUp: config.MONITOR_PASTE_DEFERRAL_ALERT_SECONDS,
			// From then on its silence is judged no more.
			waitedFor: config["monitor.watcher.stale_paste_ceiling_seconds"],
		},
	);
	if (verdict === "tell")
		raise(
			run.doors,
			stateDir,
			isBeside
				? `the active pane of target window '${target}' holds no agent: nobody takes the reports. Make the orchestrator's pane the active one`
				: `target window '${target}' holds no agent: nobody takes the reports. Start claude in it, or close it, and a new orchestrator is opened`,
		);
	if (verdict === "tell-held-up")
		raise(
			run.doors,
			stateDir,
			`the orchestrator in window '${target}' is held up (${next.heldUp?.what}): no report is read until somebody looks after it`,
		);
	if (verdict === "set-aside" && pane !== undefined)
		await setAside(ctx, run, pane);
	return { ...next, fleet };
}

/** Nothing in it is touched. Without the name the target is absent, and is replaced as any other that is. */
async function setAside(
	{ target, stateDir, panesThisTick }: WatcherContext,
	{ doors }: TaskRun,
	{ row }: SweptPane,
): Promise<void> {
	const rows = await panesThisTick();
	if (rows.kind !== "ok") return;
	const taken = new Set(rows.rows.map(({ windowName }) => windowName));
	const name = asideName(target, taken);
	const renamed = await doors.tmux.run({
		kind: "rename-window",
		target: row.windowId,
		name,
	});
	if (renamed.kind !== "ok") return;
	raise(
		doors,
		stateDir,
		`target window '${target}' held nothing but an idle shell: it is '${name}' now, and a new orchestrator is opened`,
	);
}

/** The line for log and alerts. */
function verdictText(
	verdict: Exclude<TargetVerdict, "quiet">,
	target: string,
	misses: number,
): string {
	switch (verdict) {
		case "missing":
			return `target window '${target}' not found (${misses} poll(s))`;
		case "absent":
			return `target window '${target}' absent for ${misses} poll(s): it is replaced, and reports are archived until it is back`;
		case "back":
			return `target window '${target}' is there`;
		case "blind":
			return `tmux does not answer: cannot tell whether target window '${target}' is there`;
	}
}
