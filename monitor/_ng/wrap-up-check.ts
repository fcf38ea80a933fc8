/** `ng wrap-up-check <window>`: may this window's work count as handed over (contract 05 §8.8)? Looks only. */
import { join } from "node:path";
import { readActionLog } from "../_state/action-log.ts";
import { checkReport } from "../_state/report.ts";
import { findReport, reportsDirOf } from "../_state/report-corpus.ts";
import { readSettings } from "../_state/settings.ts";
import { readArguments } from "./arguments.ts";
import { callerFolder } from "./reports-dir.ts";
import type { NgVerb } from "./verb.ts";
import {
	newestWrapUp,
	renderVerdict,
	verdictOf,
} from "./wrap-up-check/verdict.ts";

/** 0 when everything is positively there. */
export const run: NgVerb = async (args, ctx) => {
	const { doors, codeRoot, out, err } = ctx;
	const { files } = doors;
	const cli = readArguments(args, { flags: {}, maxPositionals: 1 }, ctx);
	if (cli.kind === "ended") return cli.rc;
	const [window] = cli.positionals;
	if (!window) {
		err("wrap-up-check needs a window");
		return 1;
	}
	const { config, home, problems } = await readSettings(doors, codeRoot, true);
	for (const line of problems) err(line);
	if (problems.length > 0) return 1;
	const events = readActionLog(doors, home.stateDir, ["wrap-up", "spawn"]);
	if (events === null) {
		err("wrap-up-check: the action log cannot be read");
		return 1;
	}
	const event = newestWrapUp(events, window);
	const name = event?.field("report") ?? null;
	const path =
		name === null
			? null
			: (findReport(files, reportsDirOf(home.root), name) ??
				findReport(files, join(callerFolder(doors), "reports"), name));
	const read = path === null ? null : files.read(path);
	const report =
		read?.kind !== "ok"
			? "missing"
			: checkReport(read.text, {
						minBytes: config["monitor.report_min_chars"],
					}).problems.length === 0
				? "ok"
				: "fail";
	const verdict = verdictOf(event, report);
	out(renderVerdict(verdict));
	return verdict.isComplete ? 0 : 1;
};
