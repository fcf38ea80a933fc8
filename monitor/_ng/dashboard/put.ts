/** `ng dashboard put [--body-file p|-]`: replaces the dashboard, and nothing around it (contract 05 §10.4). */
import { patchIssueBody, sizeWarning } from "../../_github/issue-body.ts";
import { writeDashboardCache } from "../../_state/dashboard-cache.ts";
import { writeDashboardUpdated } from "../../_state/dashboard-updated.ts";
import { readArguments } from "../arguments.ts";
import { isSecret, readText } from "../post-body.ts";
import type { NgVerb } from "../verb.ts";
import { checkHeadings } from "./headings.ts";
import { fetchDashboard, findOverview } from "./live.ts";
import { hasMarker, sameMiddle, splice } from "./region.ts";
import { oversize, REMEDY } from "./size.ts";

const UNVERIFIED = 4;

/** 0 written and seen, or unchanged; 1 not written; 4 nobody knows. */
export const run: NgVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = readArguments(args, { flags: { "--body-file": "value" } }, ctx);
	if (cli.kind === "ended") return cli.rc;
	const given = await readText(cli.value("--body-file"), ctx);
	if (given === null) return 1;
	if (hasMarker(given.text)) {
		err(
			"dashboard put takes what stands between the markers; this text holds one, and would nest: nothing was sent",
		);
		return 1;
	}
	const middle = `${given.text}\n`;
	for (const line of checkHeadings(middle, middle).duplicate)
		err(`WARNING: duplicate section: ${line}`);
	const large = oversize(middle);
	for (const line of large) err(`WARNING: ${line}`);
	if (large.length > 0) for (const line of REMEDY) err(`  ${line}`);
	const overview = await findOverview(ctx);
	if (overview === null) return 1;
	if (isSecret(given, overview.hub.settings, ctx)) return 1;
	const live = await fetchDashboard(overview, ctx, "; nothing was sent");
	if (live === null) return 1;
	const { hub, repo, number } = overview;
	const { files, clock } = doors;
	const body = splice(live.body, live.markers, middle);
	for (const heading of checkHeadings(middle, body).missing)
		err(`WARNING: missing section: ${heading}`);
	if (sameMiddle(live.middle, middle)) {
		// Not stamped: a put that changes nothing must not buy freshness.
		writeDashboardCache(files, hub.stateDir, middle);
		err("UNCHANGED: the dashboard says this already");
		out(live.url);
		return 0;
	}
	const warning = sizeWarning(body);
	if (warning !== null) err(warning);
	const { gitHub } = hub;
	const wrote = await patchIssueBody(
		gitHub,
		repo,
		number,
		body,
		"dashboard put",
	);
	if (wrote.kind !== "ok") {
		err(wrote.why);
		return wrote.kind === "unverified" ? UNVERIFIED : 1;
	}
	for (const kept of [
		writeDashboardCache(files, hub.stateDir, middle),
		writeDashboardUpdated(files, hub.stateDir, clock.iso()),
	])
		if (kept.kind === "failed") err(`dashboard: ${kept.reason}`);
	out(wrote.url);
	return 0;
};
