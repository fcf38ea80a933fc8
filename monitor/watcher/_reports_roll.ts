/** `reports_roll`: archives old reports once a day (contract 01 §21). */
import { join } from "node:path";
import {
	readReportsRollLastDay,
	writeReportsRollLastDay,
} from "../_state/reports-roll-last-day.ts";
import { writeReportsRollNotice } from "../_state/reports-roll-notice.ts";
import { rollReports } from "./_reports_roll/roll.ts";
import type { TaskSpec } from "./context.ts";

export const reportsRollTask: TaskSpec = {
	name: "reports_roll",
	intervalSeconds: (config) => config["monitor.reports_roll.interval_seconds"],
	enabled: (config) => config["monitor.reports_roll.enabled"],
	class: "medium",
	async: true,
	make: (ctx) => async (run) => {
		const { files, clock } = run.doors;
		const today = clock.iso().slice(0, 10);
		if (readReportsRollLastDay(files, ctx.stateDir) === today) return { rc: 0 };
		const dir = join(ctx.root, "reports");
		// A fleet that has written no report yet has nothing to archive.
		if (files.stat(dir).kind === "absent") return { rc: 0 };
		const result = await rollReports(run.doors, {
			dir,
			today,
			minAge: ctx.config["monitor.reports_roll.min_age_seconds"],
			dryRun: false,
			signal: run.signal,
		});
		for (const error of result.errors) run.log(`reports_roll: ${error}`);
		// Before the stamp: a crash in between repeats a roll that finds nothing, and loses no notice.
		const { rolled, summary } = result;
		if (rolled > 0 && summary !== null) {
			const wrote = writeReportsRollNotice(files, ctx.stateDir, summary);
			if (wrote.kind === "failed")
				run.log(`reports_roll: nobody is told (${wrote.reason}): ${summary}`);
		}
		if (result.rc === 0) writeReportsRollLastDay(files, ctx.stateDir, today);
		return { rc: result.rc };
	},
};
