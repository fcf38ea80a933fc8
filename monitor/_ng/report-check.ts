/** `ng report-check <path> [--allow-todo]`: is the report complete (contract 05 §7.2)? */
import { basename } from "node:path";
import { checkReport } from "../_state/report.ts";
import { readSettings } from "../_state/settings.ts";
import { parseCli } from "../_sys/cli.ts";
import type { NgVerb } from "./verb.ts";

/** 0 complete, 1 incomplete, 2 no such file. */
export const run: NgVerb = async (args, ctx) => {
	const { doors, codeRoot, out, err, errPlain } = ctx;
	const cli = parseCli(args, {
		flags: { "--allow-todo": "switch" },
		maxPositionals: 1,
	});
	if (cli.kind !== "ok") {
		if (cli.kind === "refused") err(cli.message);
		return cli.kind === "refused" ? cli.rc : 0;
	}
	const [path] = cli.positionals;
	if (path === undefined || path === "") {
		err("report-check needs the path of a report");
		return 1;
	}
	const { config, problems } = await readSettings(doors, codeRoot, true);
	for (const line of problems) err(line);
	if (problems.length > 0) return 1;
	const read = doors.files.read(path);
	if (read.kind !== "ok") {
		errPlain(`ng report-check: file missing or unreadable: ${path}`);
		return 2;
	}
	const { bodyBytes, problems: missing } = checkReport(read.text, {
		minBytes: config["monitor.report_min_chars"],
		allowPlaceholders: cli.on("--allow-todo"),
	});
	const name = basename(path);
	if (missing.length === 0) {
		out(`report-check: ${name} OK (${bodyBytes} body chars)`);
		return 0;
	}
	errPlain(`ng report-check: ${name} — incomplete:`);
	for (const item of missing) errPlain(`  - ${item}`);
	return 1;
};
