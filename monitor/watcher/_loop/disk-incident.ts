/**
 * A state dir that cannot be written is told on GitHub, too: an issue of its own, and a word in the overview that calls the
 * operator (contract 07 §11.8). His phone may not be configured, and nothing else of the fleet can say it.
 */
import type { GitHubApp } from "../../_github/app.ts";
import { readPage } from "../../_github/comment.ts";
import { COMMAND_MS } from "../../_github/deadline.ts";
import { failureLine } from "../../_github/errors.ts";
import { type GitHub, openGitHub } from "../../_github/github.ts";
import { overviewNumber } from "../../_github/overview.ts";
import { ownerAndName } from "../../_github/target-repo.ts";
import { postComment } from "../../_github/thread.ts";
import type { Clock, Doors } from "../../_sys/doors.ts";
import type { FsMode } from "../../_sys/fs-guard.ts";
import type { WatcherContext } from "../context.ts";

type Place = Pick<WatcherContext, "config" | "root" | "stateDir">;

/** A disk that comes and goes makes one issue an hour. */
const REST_MS = 3_600_000;

/** Told of each look at the disk; posts beside the loop. `app` null: GitHub is off. */
export function diskIncident(
	doors: Doors,
	place: Place,
	app: GitHubApp | null,
): (mode: FsMode) => void {
	const { config, stateDir } = place;
	if (app === null || !config["monitor.rofs_alarm.github_escalation_enabled"])
		return () => {};
	return onEachTurn(doors.clock, () => {
		const gitHub = openGitHub({ doors, app, stateDir });
		tellDisk(gitHub, doors, place).catch((cause) =>
			doors.log.warn(`disk incident: ${cause}`),
		);
	});
}

/** Calls `act` once for each time that the disk turns, and not again within the hour. */
export function onEachTurn(
	clock: Pick<Clock, "monoMs">,
	act: () => void,
): (mode: FsMode) => void {
	let before: FsMode = "ok";
	let actedMs: number | null = null;
	return (mode) => {
		const isTurn = mode === "degraded" && before === "ok";
		before = mode;
		const nowMs = clock.monoMs();
		if (!isTurn || (actedMs !== null && nowMs - actedMs < REST_MS)) return;
		actedMs = nowMs;
		act();
	};
}

/** Resolves when both were tried; what failed stands in the log. */
export async function tellDisk(
	gitHub: Pick<GitHub, "rest">,
	doors: Doors,
	{ config, stateDir, root }: Place,
): Promise<void> {
	const repo = config["github.repo"];
	const { hostname } = doors.proc;
	const since = doors.clock.iso();
	const made = await gitHub.rest(
		"POST /repos/{owner}/{repo}/issues",
		{
			...ownerAndName(repo),
			title: `The watcher's disk cannot be written (${hostname})`,
			body: `Since ${since} nothing can be written to \`${stateDir}\` on ${hostname} (checkout \`${root}\`). The watcher runs no task until that is over; it goes on by itself then. Look at the disk: full, read-only, or somebody else's?\n`,
		},
		{ deadlineMs: COMMAND_MS, read: readPage },
	);
	if (made.kind === "failed") {
		doors.log.warn(`disk incident: no issue: ${failureLine(made.failure)}`);
		return;
	}
	doors.log.info(`disk incident: ${made.value}`);
	const pinned = config["github.overview_issue_number"];
	const overview = await overviewNumber(gitHub, doors, {
		repo,
		pinned,
		stateDir,
	});
	if (overview.kind !== "ok") {
		doors.log.warn(`disk incident: ${overview.why}`);
		return;
	}
	const words = `@${config["github.user_login"]} the watcher on ${hostname} cannot write its disk since ${since}, and does nothing until it can: ${made.value}`;
	const said = await postComment(gitHub, repo, overview.number, words);
	if (said.kind === "failed")
		doors.log.warn(`disk incident: ${failureLine(said.failure)}`);
}
