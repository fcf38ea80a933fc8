/** One search of the configured repository, from its back-off to its blocks (contract 02 §7.3 to §7.7). */
import { type Block, renderBlocks } from "../_state/emit-blocks.ts";
import { backoffLimits, passBackoff } from "./backoff.ts";
import { degradedLimits, searchFailed, searchSucceeded } from "./degraded.ts";
import { blocksOfNodes, type HomeSurface } from "./node-blocks.ts";
import { openMarks } from "./open-marks.ts";
import { notePartial } from "./partial-row.ts";
import { askSearch, type SearchContext } from "./search.ts";
import type { SearchNode } from "./search-page.ts";
import { type Walk, walkSearch } from "./walk.ts";

/** The blocks of good pages come in every case. */
export async function snapshotSurface(
	ctx: SearchContext,
	surface: HomeSurface,
): Promise<string> {
	const { doors, stateDir, config } = ctx;
	const limits = backoffLimits(config);
	const hold = passBackoff(doors, stateDir, surface, limits);
	if (!hold.open) return renderBlocks(hold.alerts);
	const alerts: Block[] = [];
	const walk = await walkPages(ctx, surface, alerts);
	const marks = openMarks({
		gitHub: ctx.reactions,
		operator: config["github.user_login"],
		home: config["github.repo"],
		signal: ctx.signal,
	});
	const blocks = await blocksOfNodes(surface, walk.items, {
		botLogin: config["github.bot_login"],
		processed: ctx.processed,
		marks,
	});
	const failed = walk.failed + marks.unknown();
	if (!walk.ended && !ctx.signal.aborted)
		alerts.push(...judgeWalk(ctx, surface, { ...walk, failed }));
	return renderBlocks([...alerts, ...blocks]);
}

function walkPages(
	ctx: SearchContext,
	surface: HomeSurface,
	alerts: Block[],
): Promise<Walk<SearchNode>> {
	const { doors, stateDir, config } = ctx;
	return walkSearch(
		async (after) => {
			const asked = await askSearch(ctx, surface, {
				first: config["monitor.graphql.search_page_size"],
				after,
				deadlineMs: config["monitor.graphql_timeout_seconds"] * 1000,
			});
			alerts.push(...asked.alerts);
			return asked.page;
		},
		{
			maxPages: config["monitor.graphql.search_max_pages"],
			budgetMs: config["monitor.graphql.search_budget_seconds"] * 1000,
			monoMs: doors.clock.monoMs,
			note: (reason, detail) =>
				notePartial(doors, stateDir, surface, reason, detail),
		},
	);
}

/** A walk that a cap or the budget ended is no success. */
function judgeWalk(
	{ doors, stateDir, config }: SearchContext,
	surface: HomeSurface,
	{ ok, failed, truncated }: Pick<Walk<unknown>, "ok" | "failed" | "truncated">,
): readonly Block[] {
	const limits = degradedLimits(config);
	if (ok === 0) return searchFailed(doors, stateDir, surface, "total", limits);
	if (failed === 0 && !truncated)
		return searchSucceeded(doors, stateDir, surface);
	const loss = truncated ? "truncated" : "partial";
	return searchFailed(doors, stateDir, surface, loss, limits);
}
