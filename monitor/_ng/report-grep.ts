/** `ng report-grep <pattern> [--ignore-case] [--files]`: what earlier workers wrote of something; newest reports first. */
import { listReports } from "../_state/report-corpus.ts";
import { parseCli } from "../_sys/cli.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { findReportsDir } from "./reports-dir.ts";
import type { NgVerb } from "./verb.ts";

/** 0 found, 1 nothing found, 3 the reports cannot be seen: that is no "nothing". */
export const run: NgVerb = async (args, ctx) => {
	const { doors, out, err } = ctx;
	const cli = parseCli(args, {
		flags: {
			"--ignore-case": "switch",
			"--files": "switch",
			"--reports-dir": "value",
		},
		maxPositionals: 1,
	});
	if (cli.kind !== "ok") {
		if (cli.kind === "refused") err(cli.message);
		return cli.kind === "refused" ? cli.rc : 0;
	}
	const [text = ""] = cli.positionals;
	const pattern = patternOf(text, cli.on("--ignore-case"));
	if (pattern === null) {
		err(`report-grep needs a pattern, got '${excerpt(text)}'`);
		return 1;
	}
	const place = await findReportsDir(ctx, cli.value("--reports-dir") ?? null);
	if (place === null) return 1;
	const { dir } = place;
	const reports = listReports(doors.files, dir);
	if (reports === null || doors.files.stat(dir).kind !== "ok") {
		err(`the reports in ${dir} cannot be seen`);
		return 3;
	}
	let found = false;
	for (const { path } of reports) {
		const read = doors.files.read(path);
		if (read.kind !== "ok") continue;
		const hits = matchingLines(read.text, pattern);
		found ||= hits.length > 0;
		if (cli.on("--files")) {
			if (hits.length > 0) out(path);
		} else for (const hit of hits) out(`${path}:${hit}`);
	}
	return found ? 0 : 1;
};

/** Null for an empty pattern and for one that is none. */
function patternOf(text: string, ignoreCase: boolean): RegExp | null {
	if (text === "") return null;
	try {
		return new RegExp(text, ignoreCase ? "iu" : "u");
	} catch {
		return null;
	}
}

/** `<line>:<text>`, counted from 1. Pure. */
function matchingLines(text: string, pattern: RegExp): readonly string[] {
	return text
		.split("\n")
		.flatMap((line, at) => (pattern.test(line) ? [`${at + 1}:${line}`] : []));
}
