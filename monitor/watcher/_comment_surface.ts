/**
 * `comment_surface`: comments on a way of their own (contract 02 §11). As a part of the report they came eight
 * minutes late, since its cost grows with the number of workers: so no pane is looked at here, and nothing else is said.
 */
import { join } from "node:path";
import type { EmitDeps } from "../_emit/emit-deps.ts";
import type { HeldMemory } from "../_emit/ladder.ts";
import { providersOf } from "../_emit/local-providers.ts";
import { settlePast } from "../_emit/past-delivery.ts";
import type { CommentsView, EmitProviders } from "../_emit/providers.ts";
import { sendReport } from "../_emit/send-report.ts";
import { emptyStaged } from "../_state/staging.ts";
import type {
	TaskResult,
	TaskRun,
	TaskSpec,
	WatcherContext,
} from "./context.ts";

/** Registered only with a source of comments. */
export function commentSurfaceTask(deps: EmitDeps): TaskSpec {
	return {
		name: "comment_surface",
		intervalSeconds: (config) =>
			config["monitor.comment_surface.interval_seconds"],
		class: "medium",
		async: true,
		make: (ctx) => {
			const memory: HeldMemory = { held: null };
			const providers = providersOf(ctx, deps.sources?.(ctx));
			return (run) => surface(run, ctx, providers, deps, memory);
		},
	};
}

async function surface(
	run: TaskRun,
	ctx: WatcherContext,
	providers: EmitProviders,
	deps: EmitDeps,
	memory: HeldMemory,
): Promise<TaskResult> {
	await settlePast(run, ctx, {
		providers,
		stagedOf: async (rows) => (await rows.render(run)) ?? "",
		afterCommit: ({ task }) => emptyStaged(run.doors.files, ctx.stageDir, task),
		arrival: deps.arrival(ctx, run),
	});
	const view = await providers.composeGhNow?.(run);
	if (view === undefined) return { rc: 0 };
	let committed = false;
	const commit = async () => {
		committed = true;
		await view.commit();
	};
	try {
		if (view.text !== "" && !run.signal.aborted)
			await send(run, ctx, { ...view, commit }, providers, deps, memory);
	} finally {
		if (!committed) await view.release();
	}
	return { rc: run.signal.aborted ? 1 : 0 };
}

async function send(
	run: TaskRun,
	ctx: WatcherContext,
	{ text, commit }: Pick<CommentsView, "text" | "commit">,
	providers: EmitProviders,
	deps: EmitDeps,
	memory: HeldMemory,
): Promise<void> {
	await sendReport(
		run,
		ctx,
		{
			reason: "comments",
			tag: "comments",
			workspace: null,
			sections: { gh: text },
			// The hops' cooldowns are the limit here.
			dedup: false,
			lessons: () => [{ when: "seen", commit }],
		},
		{
			paste: deps.paste(ctx, run),
			nextDeliveryState: deps.nextDeliveryState,
			...(providers.hold && { hold: providers.hold(run) }),
			memory,
			copyPath: join(ctx.scratchDir, "comments.md"),
			mayRestart: deps.mayRestart,
		},
	);
}
