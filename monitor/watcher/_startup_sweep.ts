/** The first report of a watcher: everything that is open, once, before the loop (contract 01 §12). */
import { answerBells } from "../_emit/answer-bells.ts";
import { listBellWindows } from "../_emit/bells.ts";
import type { EmitDeps } from "../_emit/emit-deps.ts";
import {
	type FullStateTurn,
	learnFullState,
	NOT_DUE,
	renderFullState,
} from "../_emit/full-state-turn.ts";
import { gather } from "../_emit/gather.ts";
import { providersOf } from "../_emit/local-providers.ts";
import { settlePast } from "../_emit/past-delivery.ts";
import { renderBudgetMs, renderWorkspace } from "../_emit/prelude.ts";
import type {
	EmitProviders,
	ProviderRun,
	StagedRows,
} from "../_emit/providers.ts";
import { runBounded } from "../_emit/run-bounded.ts";
import type { SectionTexts } from "../_emit/sections.ts";
import { sendReport } from "../_emit/send-report.ts";
import { liveWindows } from "../_emit/snapshot.ts";
import {
	readLastSnapshot,
	writeLastSnapshot,
} from "../_state/last-snapshot.ts";
import type { Doors } from "../_sys/doors.ts";
import { onceTold } from "./_startup_sweep/once-told.ts";
import type { WatcherContext } from "./context.ts";

/** A sweep that is held or fails commits nothing: the first ordinary cycle carries the rows again. */
export async function runStartupSweep(
	ctx: WatcherContext,
	doors: Doors,
	deps: EmitDeps,
	signal: AbortSignal = new AbortController().signal,
): Promise<void> {
	const { log } = doors;
	const run: ProviderRun = { doors, signal };
	const providers = providersOf(ctx, deps.sources?.(ctx));
	if (deps.pollSources !== undefined) {
		// Each may take a while: without a sign of life in between the start would read as a hang.
		log.info("startup sweep: asking GitHub");
		ctx.vitals.progress("startup");
		await deps.pollSources(ctx, run);
		ctx.vitals.progress("startup:github-done");
	}
	const panes = await ctx.panesThisTick();
	const live = liveWindows(panes);
	const budgetMs = renderBudgetMs(ctx, panes);
	const stagedOf = (rows: StagedRows) =>
		boundedRows(run, budgetMs, async () => (await rows.render(run)) ?? "");
	const told = onceTold(doors, ctx);
	await settlePast(run, ctx, {
		providers,
		stagedOf,
		afterCommit: () => {},
		arrival: deps.arrival(ctx, run),
		furtherLessons: told.lessonsOfPast,
	});
	log.info("startup sweep: comments, bells, idle workers, decisions, requests");
	const gathered = await gather(run, providers, {
		bells: panes.kind === "ok" ? listBellWindows(panes.rows, ctx.target) : [],
		live,
		stagedOf,
		afterCommit: () => {},
	});
	try {
		ctx.vitals.progress("startup:github-done");
		log.info("startup sweep: full state");
		const full = await fullStateNow(run, ctx, providers, live, budgetMs);
		ctx.vitals.progress("startup:local-done");
		// Anew: what an earlier report has told may be gone by now.
		const untold = onceTold(doors, ctx);
		const sections: SectionTexts = {
			...gathered.sections,
			...untold.sections,
			fullState: full.text,
		};
		ctx.vitals.progress("startup:canonical-check");
		if (Object.values(sections).every((text) => text === "")) {
			log.info("startup sweep: nothing open");
			return;
		}
		ctx.vitals.progress("startup:composing-emit");
		const outcome = await sendReport(
			run,
			ctx,
			{
				reason: "startup-sweep",
				workspace: await renderWorkspace(run, ctx, providers.prelude, budgetMs),
				// The arm section rides along; it is no reason to send.
				sections: { ...sections, arm: deps.armSection(ctx, run) },
				dedup: false,
				lessons: (body) => [
					...gathered.lessons(body),
					...untold.lessons,
					learnFullState(run, ctx, full),
				],
			},
			{
				paste: deps.paste(ctx, run),
				nextDeliveryState: deps.nextDeliveryState,
				...(providers.hold && { hold: providers.hold(run) }),
				memory: { held: null },
				mayRestart: deps.mayRestart,
			},
		);
		ctx.vitals.progress("startup:emit-composed");
		log.info(`startup sweep: ${outcome.kind}`);
		if (gathered.bells.length > 0) {
			const answered = await answerBells(run, ctx, gathered.bells);
			const baseline = readLastSnapshot(doors, ctx.stateDir);
			if (baseline.kind === "ok")
				writeLastSnapshot(doors.files, ctx.stateDir, answered(baseline.value));
		}
	} finally {
		await gathered.release();
	}
}

async function boundedRows(
	{ doors, signal }: ProviderRun,
	budgetMs: number,
	render: () => Promise<string>,
): Promise<string> {
	const { out } = await runBounded(
		doors.clock,
		budgetMs,
		async (sink) => {
			sink(await render());
			return 0;
		},
		signal,
	);
	return out;
}

/** Due by decree: the canonical of what is told now is what later turns compare with. */
async function fullStateNow(
	run: ProviderRun,
	ctx: WatcherContext,
	{ fullState, prelude }: EmitProviders,
	live: ReadonlySet<string> | null,
	budgetMs: number,
): Promise<FullStateTurn> {
	if (fullState === undefined) return NOT_DUE;
	const from = { fullState, prelude };
	const made = await renderFullState(run, ctx, from, live, budgetMs);
	return { due: true, ...made };
}
