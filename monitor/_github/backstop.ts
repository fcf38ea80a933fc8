/**
 * What the delivery log missed: searches for everything that is open, every ten minutes (contract 02 §7, §8). A
 * comment stays in what they bring until eyes or a rocket stand on it.
 */

import { sameRepo } from "../_state/emit-block-target.ts";
import { alertBlock, type Block, renderBlocks } from "../_state/emit-blocks.ts";
import { readProcessed } from "../_state/processed-comments.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import { degradedLimits, searchFailed } from "./degraded.ts";
import { graphqlPollingGate } from "./gate.ts";
import { type InstalledRepos, installedRepos } from "./installed-repos.ts";
import { snapshotBotMentions, snapshotMentions } from "./mentions.ts";
import type { HomeSurface } from "./node-blocks.ts";
import { atMost } from "./open-marks.ts";
import type { SearchContext } from "./search.ts";
import { snapshotSurface } from "./surface.ts";

const SURFACES: readonly HomeSurface[] = [
	"issue_comments",
	"pr_comments",
	"new_issues",
];
/** Calls for reactions that one fire may make. */
const REACTION_CALLS = 20;

/** Blocks as staging holds them. An aborted run answers with what was complete by then. */
export async function snapshotGithubRaw(
	from: Omit<SearchContext, "processed" | "reactions">,
): Promise<string> {
	const { doors, stateDir, gitHub, config, signal } = from;
	const ctx: SearchContext = {
		...from,
		processed: readProcessed(doors.files, stateDir),
		reactions: atMost(REACTION_CALLS, gitHub),
	};
	if (!(await graphqlPollingGate(ctx)))
		return signal.aborted ? "" : noteSkipped(ctx);
	let text = "";
	for (const surface of SURFACES)
		if (!signal.aborted) text += await snapshotSurface(ctx, surface);
	if (signal.aborted) return text;
	const elsewhere =
		config["monitor.mentions_enabled"] ||
		config["monitor.bot_mentions_enabled"];
	if (!elsewhere) return text;
	const installed = await installedRepos(ctx);
	text += tellLostHome(ctx, installed);
	if (config["monitor.mentions_enabled"])
		text += await snapshotMentions(ctx, installed.repos);
	if (config["monitor.bot_mentions_enabled"] && !signal.aborted)
		text += await snapshotBotMentions(ctx, installed.repos);
	return text;
}

/** A repository that was renamed or closed to the App would fall silent: its comments come under another name, as a stranger's, or not at all. */
function tellLostHome(
	{ doors, stateDir, config }: SearchContext,
	{ repos, isNew }: InstalledRepos,
): string {
	const home = config["github.repo"];
	if (!isNew || repos.some((repo) => sameRepo(repo, home))) return "";
	appendAlert(doors, stateDir, "ALERT", `home_not_installed repo=${home}`);
	const why = `GitHub does not name ${home} among the App's repositories: was it renamed, or closed to the App? Comments there do not arrive. github.repo is to name it as it is called now.`;
	return renderBlocks([alertBlock("home-not-installed", { repo: home }, why)]);
}

/** A dead credential must not be reported only in a log that nobody reads. */
function noteSkipped({ doors, stateDir, config }: SearchContext): string {
	const limits = degradedLimits(config);
	const alerts = SURFACES.flatMap((surface): readonly Block[] =>
		searchFailed(doors, stateDir, surface, "total", limits),
	);
	return renderBlocks(alerts);
}
