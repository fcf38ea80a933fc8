/** `compose_emit`: one cycle from "what changed" to "the orchestrator knows" (contract 01 §11). */
import { answerBells } from "../_emit/answer-bells.ts";
import { decideEmit, type EmitDecision } from "../_emit/emit-decision.ts";
import type { EmitDeps } from "../_emit/emit-deps.ts";
import {
	type FullStateTurn,
	fullStateTurn,
	learnFullState,
} from "../_emit/full-state-turn.ts";
import { type Gathered, gather } from "../_emit/gather.ts";
import type { HeldMemory, LadderOutcome } from "../_emit/ladder.ts";
import { providersOf } from "../_emit/local-providers.ts";
import { settlePast } from "../_emit/past-delivery.ts";
import { renderBudgetMs, renderWorkspace } from "../_emit/prelude.ts";
import type { EmitProviders } from "../_emit/providers.ts";
import { sendReport } from "../_emit/send-report.ts";
import { liveWindows } from "../_emit/snapshot.ts";
import { writeLastSnapshot } from "../_state/last-snapshot.ts";
import {
	dropUntoldBaseline,
	keepUntoldBaseline,
} from "../_state/untold-baseline.ts";
import {
	currentSnapshot,
	keepScratchDir,
	type LocalState,
	lookAtLocalState,
} from "./_compose_emit/local-state.ts";
import { emptyStage, stagedBells, stagedRows } from "./_compose_emit/staged.ts";
import type {
	TaskResult,
	TaskRun,
	TaskSpec,
	WatcherContext,
} from "./context.ts";

type Compared = Extract<LocalState, { kind: "compared" }>;

/** What one watcher process remembers between its cycles. */
interface Memory extends HeldMemory {
	/** The baseline was lost: the next report is full-state, since nobody knows what changed. */
	baselineLost: boolean;
	/** The snapshot of which was told that it changed, when nobody could see how. */
	unshown: string | null;
}

const LOST =
	"(the baseline was damaged and set aside: what changed since it was written is not known)\n";

/** What it remembers from cycle to cycle (a held report, a lost baseline) dies with the process. */
export function composeEmitTask(deps: EmitDeps): TaskSpec {
	return {
		name: "compose_emit",
		intervalSeconds: (config) => config["monitor.interval_seconds"],
		class: "medium",
		async: true,
		make: (ctx) => {
			const memory: Memory = {
				held: null,
				baselineLost: false,
				unshown: null,
			};
			const providers = providersOf(ctx, deps.sources?.(ctx));
			return (run) => composeCycle(run, ctx, providers, deps, memory);
		},
	};
}

async function composeCycle(
	run: TaskRun,
	ctx: WatcherContext,
	providers: EmitProviders,
	deps: EmitDeps,
	memory: Memory,
): Promise<TaskResult> {
	keepScratchDir(run, ctx);
	const current = currentSnapshot(run, ctx);
	// Too early: without a snapshot there was no cycle.
	if (current === null) return { rc: 0 };
	ctx.vitals.progress("compose:start");
	await settlePast(run, ctx, {
		providers,
		stagedOf: async (rows) => (await rows.render(run)) ?? "",
		afterCommit: (rows) => emptyStage(run, ctx, rows),
		arrival: deps.arrival(ctx, run),
	});
	const local = await lookAtLocalState(run, ctx, current);
	if (local.kind === "reseeded") {
		memory.baselineLost ||= local.lost;
		return cycleEnded(ctx);
	}
	// Said once; what it was is told when somebody can see it.
	const isOld = !local.isShown && memory.unshown === local.current;
	const news = isOld ? { ...local, diff: "", signal: false } : local;
	const panes = await ctx.panesThisTick();
	const live = liveWindows(panes);
	const gathered = await gather(run, providers, {
		bells: stagedBells(run, ctx),
		live,
		stagedOf: async (rows) => stagedRows(run, ctx, rows),
		afterCommit: (rows) => emptyStage(run, ctx, rows),
	});
	try {
		if (run.signal.aborted) return { rc: 1 };
		const budgetMs = renderBudgetMs(ctx, panes);
		const full = await fullStateTurn(run, ctx, providers, live, budgetMs);
		await sayWhatChanged({
			run,
			ctx,
			providers,
			deps,
			memory,
			local: news,
			gathered,
			full,
			budgetMs,
		});
	} finally {
		await gathered.release();
	}
	return run.signal.aborted ? { rc: 1 } : cycleEnded(ctx);
}

interface Cycle {
	readonly run: TaskRun;
	readonly ctx: WatcherContext;
	readonly providers: EmitProviders;
	readonly deps: EmitDeps;
	readonly memory: Memory;
	readonly local: Compared;
	readonly gathered: Gathered;
	readonly full: FullStateTurn;
	readonly budgetMs: number;
}

async function sayWhatChanged(c: Cycle): Promise<void> {
	const { run, ctx, memory, local, gathered, full } = c;
	const decision = decideEmit({
		...gathered.sections,
		localDiff: local.diff,
		diffSignal: local.signal,
		noiseSummary: local.noiseSummary,
		fullStateDue: full.due || memory.baselineLost,
		bells: gathered.bells,
	});
	if (decision.logSuppressed !== undefined)
		run.doors.log.info(decision.logSuppressed);
	let { current } = local;
	if (decision.emit) {
		const outcome = await emit(c, decision);
		// The next watcher compares with the same baseline and says it then.
		if (outcome.kind === "aborted") return;
		if (outcome.kind === "delivered") memory.baselineLost = false;
		if (isTold(outcome)) current = local.told;
		rememberUntold(c, outcome);
	}
	if (decision.emit && gathered.bells.length > 0)
		current = (await answerBells(run, ctx, gathered.bells))(current);
	if (decision.advanceBaseline && local.baselineRead)
		writeLastSnapshot(run.doors.files, ctx.stateDir, current);
}

/** Before the baseline moves on: a change that did not arrive, or that nobody could see, is said again with what came after it. */
function rememberUntold(
	{ run: { doors }, ctx: { stateDir }, local, memory }: Cycle,
	outcome: LadderOutcome,
): void {
	const told = isTold(outcome);
	if (told && !local.isShown) memory.unshown = local.current;
	if (told && local.isShown) dropUntoldBaseline(doors.files, stateDir);
	else if (local.diff !== "") keepUntoldBaseline(doors, stateDir, local.since);
}

function isTold({ kind }: LadderOutcome): boolean {
	return kind === "delivered" || kind === "duplicate";
}

async function emit(c: Cycle, decision: EmitDecision): Promise<LadderOutcome> {
	const { run, ctx, providers, deps, gathered } = c;
	return sendReport(
		run,
		ctx,
		{
			reason: decision.reason,
			...(decision.tag !== undefined && { tag: decision.tag }),
			workspace: await renderWorkspace(run, ctx, providers.prelude, c.budgetMs),
			sections: {
				...gathered.sections,
				arm: deps.armSection(ctx, run),
				localDiff: c.local.diff || (c.memory.baselineLost ? LOST : ""),
				fullState: c.full.text,
			},
			dedup: !decision.skipDedup,
			...(decision.advanceBaseline &&
				c.local.baselineRead &&
				c.local.isShown && { baseline: c.local.told }),
			lessons: (body) => [
				...gathered.lessons(body),
				learnFullState(run, ctx, c.full),
			],
		},
		{
			paste: deps.paste(ctx, run),
			nextDeliveryState: deps.nextDeliveryState,
			...(providers.hold && { hold: providers.hold(run) }),
			memory: c.memory,
			mayRestart: deps.mayRestart,
		},
	);
}

/** Pasted, suppressed, held, or nothing to say: a healthy cycle. */
function cycleEnded({ vitals }: WatcherContext): TaskResult {
	vitals.cycleEnded();
	vitals.beat();
	return { rc: 0 };
}
