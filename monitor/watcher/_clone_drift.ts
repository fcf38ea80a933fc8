/** `clone_drift`: tells of a checkout that falls behind its branch; never fetches, pulls or writes to it (contract 06 §10). */
import { integrationBranch } from "../../config/integration-branch.ts";
import type { GitHubApp } from "../_github/app.ts";
import { compareCommits } from "../_github/compare.ts";
import { openGitHub } from "../_github/github.ts";
import { repoOfRemote } from "../_github/target-repo.ts";
import { askForRestart, removeDrift } from "../_state/component-drift.ts";
import { decideClone } from "./_clone_drift/decide.ts";
import { probeClone } from "./_clone_drift/probe.ts";
import type { TaskRun, TaskSpec, WatcherContext } from "./context.ts";

const CLONE = "clone";

/** `app`: null when GitHub is off; then only how far it is behind stays unknown. */
export function cloneDriftTask(app: GitHubApp | null): TaskSpec {
	return {
		name: "clone_drift",
		intervalSeconds: (config) => config["monitor.clone_drift.interval_seconds"],
		enabled: (config) => config["monitor.clone_drift.enabled"],
		class: "expensive",
		async: true,
		make: (ctx) => (run) => cloneDriftTick(run, ctx, app),
	};
}

/** What is looked at is the checkout that holds the programs; the root may be no clone at all. */
export async function cloneDriftTick(
	run: TaskRun,
	{
		codeRoot,
		stateDir,
		config,
	}: Pick<WatcherContext, "codeRoot" | "stateDir" | "config">,
	app: GitHubApp | null,
): Promise<{ readonly rc: number }> {
	const { doors, signal } = run;
	const { branch } = integrationBranch(config, doors.proc.env);
	const timeoutSeconds = config["monitor.clone_drift.timeout_seconds"];
	const verdict = await probeClone({
		doors,
		signal,
		branch,
		dir: codeRoot,
		timeoutSeconds,
		compare: async (head, originUrl) => {
			const repo = app && repoOfRemote(originUrl, app.place.webOrigin);
			if (app === null || repo === null) return null;
			const said = await compareCommits(
				openGitHub({ doors, app, stateDir }),
				repo,
				{ base: head, head: branch },
				{ deadlineMs: timeoutSeconds * 1000, signal },
			);
			return said.kind === "ok" ? said.value : null;
		},
	});
	if (verdict === null) return { rc: 1 };
	const { files, clock } = doors;
	const now = clock.now();
	const limits = {
		commits: config["monitor.clone_drift.commits"],
		hours: config["monitor.clone_drift.hours"],
	};
	const news = decideClone(verdict, limits, now);
	if (news === null) {
		removeDrift(files, stateDir, CLONE);
		return { rc: 0 };
	}
	const asked = askForRestart(files, stateDir, {
		component: CLONE,
		old: news.old,
		new: news.word,
		detected: now,
		// A branch's name holds no colon.
		note: `${branch}: ${news.note}`,
		window: "",
		windowId: "",
		tmuxServer: "",
	});
	if (asked === "new") run.log(`clone: ${branch}: ${news.note}`);
	return { rc: 0 };
}
