/** `ng dashboard get [--stat]` (contract 05 §10.4). */
import {
	dashboardCachePath,
	writeDashboardCache,
} from "../../_state/dashboard-cache.ts";
import { readArguments } from "../arguments.ts";
import type { NgVerb } from "../verb.ts";
import { fetchDashboard, findOverview } from "./live.ts";
import { oversize, REMEDY } from "./size.ts";
import { renderStat } from "./stat.ts";

export const run: NgVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = readArguments(args, { flags: { "--stat": "switch" } }, ctx);
	if (cli.kind === "ended") return cli.rc;
	const overview = await findOverview(ctx);
	if (overview === null) return 1;
	const live = await fetchDashboard(overview, ctx);
	if (live === null) return 1;
	const { stateDir } = overview.hub;
	const { middle } = live;
	const kept = writeDashboardCache(doors.files, stateDir, middle);
	if (kept.kind === "failed")
		err(`dashboard: the copy could not be written: ${kept.reason}`);
	const findings = oversize(middle);
	if (findings.length > 0) {
		for (const line of findings) err(`WARNING: ${line}`);
		for (const line of REMEDY) err(`  ${line}`);
	}
	if (!cli.on("--stat")) {
		out(middle.replace(/\n$/, ""));
		return 0;
	}
	const cache = dashboardCachePath(stateDir);
	for (const line of renderStat(overview.number, middle, cache)) out(line);
	return 0;
};
