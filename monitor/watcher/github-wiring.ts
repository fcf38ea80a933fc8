/** Joins GitHub to what must not know of it: the tasks that poll it, and the report that tells its comments. */

import { commentsMemory } from "../_emit/comments-place.ts";
import { composeGhNow } from "../_emit/comments-view.ts";
import type { EmitDeps } from "../_emit/emit-deps.ts";
import type { EmitPlace } from "../_emit/place.ts";
import type { EmitProviders, ProviderRun } from "../_emit/providers.ts";
import { type GitHubApp, gitHubSetup } from "../_github/app.ts";
import { snapshotGithubRaw } from "../_github/backstop.ts";
import { deliveriesMemory, snapshotDeliveries } from "../_github/deliveries.ts";
import { openGitHub } from "../_github/github.ts";
import { lookAtMention } from "../_github/mention-look.ts";
import { stageOut } from "../_state/staging.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import type { Doors } from "../_sys/doors.ts";
import { commentSurfaceTask } from "./_comment_surface.ts";
import { deliveriesPollTask } from "./_deliveries.ts";
import { functionalCheckTask } from "./_functional_check.ts";
import { githubPollTask } from "./_github.ts";
import type { TaskSpec, WatcherContext } from "./context.ts";

export interface GitHubWiring {
	readonly app: GitHubApp;
	readonly tasks: (deps: EmitDeps) => readonly TaskSpec[];
	readonly comments: (
		place: EmitPlace,
	) => Required<Pick<EmitProviders, "composeGhNow">>;
	/** Both polls, once, as their tasks do it: for a watcher's first report. */
	readonly pollSources: (place: EmitPlace, run: ProviderRun) => Promise<void>;
}

/** A first report must not wait for a GitHub that does not answer: its tasks ask again right after. */
const FIRST_POLL_MS = 60_000;

/** Null: GitHub is off. Everything local works without it. */
export function gitHubWiring({
	config,
	root,
}: Pick<WatcherContext, "config" | "root">): GitHubWiring | null {
	const setup = gitHubSetup(config, root);
	return setup.kind === "on" ? wiringOf(setup.app) : null;
}

/** One line when it is off; an App that is half configured is somebody's mistake, and told as one. */
export function saySetup(
	doors: Pick<Doors, "files" | "clock" | "log">,
	{
		config,
		root,
		stateDir,
	}: Pick<WatcherContext, "config" | "root" | "stateDir">,
): void {
	const setup = gitHubSetup(config, root);
	if (setup.kind === "off")
		doors.log.info("GitHub is off: no App is configured, no comments are read");
	if (setup.kind !== "incomplete") return;
	const text = `GitHub is off: ${setup.missing.join(" and ")} not set`;
	doors.log.warn(text);
	appendAlert(doors, stateDir, "WARN", text);
}

function wiringOf(app: GitHubApp): GitHubWiring {
	const memory = commentsMemory();
	return {
		app,
		tasks: (deps) => [
			deliveriesPollTask(app),
			githubPollTask(app),
			commentSurfaceTask(deps),
			functionalCheckTask(app),
		],
		comments: (place) => ({
			composeGhNow: (run) => {
				const { config, stateDir } = place;
				const gitHub = openGitHub({ doors: run.doors, app, stateDir });
				const operator = config["github.user_login"];
				const closedEnds =
					config["monitor.mentions.reemit_evict_eyes_on_closed"];
				return composeGhNow(run, {
					place,
					memory,
					look: (block, signal) =>
						lookAtMention({ gitHub, operator, closedEnds, signal }, block),
				});
			},
		}),
		pollSources: (place, run) => pollSources(app, place, run),
	};
}

async function pollSources(
	app: GitHubApp,
	{ config, stateDir, stageDir, startedAt }: EmitPlace,
	{ doors, signal: parent }: ProviderRun,
): Promise<void> {
	const limit = new AbortController();
	const cancel = doors.clock.after(FIRST_POLL_MS, () => limit.abort());
	const signal = AbortSignal.any([parent, limit.signal]);
	const gitHub = openGitHub({ doors, app, stateDir });
	const from = { doors, gitHub, stateDir, config, signal };
	try {
		await snapshotDeliveries({ ...from, memory: deliveriesMemory() });
		const found = await snapshotGithubRaw(from);
		stageOut(doors.files, stageDir, "github_poll", found, startedAt);
	} finally {
		cancel();
	}
}
