/** The dashboard as it stands at GitHub. */
import { findIssue } from "../../_github/issue.ts";
import { overviewNumber } from "../../_github/overview.ts";
import { isRepoName } from "../../_github/target-repo.ts";
import { type NgHub, openHub, sayFailure } from "../hub.ts";
import type { NgContext } from "../verb.ts";
import { findMarkers, type Markers, middleOf } from "./region.ts";

export interface Overview {
	readonly hub: NgHub;
	/** Always the home: a dashboard is never written into the clone one stands in. */
	readonly repo: string;
	readonly number: string;
}

export interface LiveDashboard {
	readonly body: string;
	readonly url: string;
	readonly markers: Extract<Markers, { kind: "ok" }>;
	readonly middle: string;
}

/** Null: there is none, and it has been said. */
export async function findOverview(ctx: NgContext): Promise<Overview | null> {
	const hub = await openHub(ctx);
	if (hub === null) return null;
	const { doors, err } = ctx;
	const repo = hub.home ?? "";
	if (!isRepoName(repo)) {
		err("dashboard: github.repo is not set");
		return null;
	}
	const found = await overviewNumber(hub.gitHub, doors, {
		repo,
		stateDir: hub.stateDir,
		pinned: hub.settings.config["github.overview_issue_number"],
	});
	if (found.kind === "ok") return { hub, repo, number: found.number };
	err(`dashboard: ${found.why}`);
	return null;
}

/** `unsent`: said behind a failure, where something was about to be written. */
export async function fetchDashboard(
	{ hub, repo, number }: Overview,
	ctx: NgContext,
	unsent = "",
): Promise<LiveDashboard | null> {
	const { err } = ctx;
	const issue = await findIssue(hub.gitHub, repo, number);
	if (issue.kind === "failed") {
		sayFailure(
			ctx,
			issue.failure,
			`dashboard: ${repo}#${number} could not be fetched; this says nothing about the dashboard itself${unsent}`,
		);
		return null;
	}
	const { body, url } = issue.value;
	if (body === "") {
		err(`dashboard: ${repo}#${number} has an empty text${unsent}`);
		return null;
	}
	const markers = findMarkers(body);
	if (markers.kind === "refused") {
		err(`${markers.message}${unsent}`);
		return null;
	}
	return { body, url: url ?? "", markers, middle: middleOf(body, markers) };
}
