/** `reports-roll` by hand: its command line, and where the reports are (contract 01 §21). */
import { dirname, join } from "node:path";
import { parseCli } from "../../_sys/cli.ts";
import type { Clock, Files } from "../../_sys/doors.ts";
import { programLabel, rollReports } from "./roll.ts";

const USAGE = `usage: reports-roll [--reports-dir <folder>] [--dry-run] [--now [YYYY-MM-DD]] [--quiet]
Moves reports of months before the last one into reports/<YYYY-MM>/; this month and the last stay flat.
  --reports-dir  default: $NEXUS_ROOT/reports, else the nearest reports/ above, else ./reports
  --dry-run      only say what would be moved
  --now          the day to count from; default: today
  --quiet        only the summary
env: REPORTS_ROLL_MIN_AGE_SECONDS: leave reports that were changed this recently (default 0)
exit: 0, or 1 on usage, without a folder, or when a report could not be moved`;

export interface RollCliFrom {
	readonly files: Files;
	readonly clock: Clock;
	readonly cwd: string;
	/** `NEXUS_ROOT`; empty when it is not set. */
	readonly root: string;
	/** Seconds. */
	readonly minAge: number;
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
}

/** Exit code. `argv` without program and script. */
export async function rollByHand(
	argv: readonly string[],
	from: RollCliFrom,
): Promise<number> {
	const cli = parseCli(bareNow(argv), {
		flags: {
			"--reports-dir": "value",
			"--dry-run": "switch",
			"--now": "text",
			"--quiet": "switch",
		},
	});
	if (cli.kind === "help") {
		from.out(USAGE);
		return 0;
	}
	if (cli.kind === "refused") return usage(from, cli.message);
	const today = cli.value("--now") || from.clock.iso().slice(0, 10);
	if (!isDay(today)) return usage(from, `--now: not a day: ${today}`);
	const dryRun = cli.on("--dry-run");
	const dir = cli.value("--reports-dir") ?? reportsDir(from);
	const { minAge } = from;
	const result = await rollReports(from, { dir, today, minAge, dryRun });
	for (const error of result.errors) from.err(`${programLabel()}: ${error}`);
	for (const line of cli.on("--quiet") ? [] : result.lines) from.out(line);
	if (result.summary !== null) from.out(result.summary);
	return result.rc;
}

/** `--now` may stand alone; the value, if any, is a word that begins like a year. */
function bareNow(argv: readonly string[]): readonly string[] {
	return argv.flatMap((word, i) => {
		if (word === "--now" && !startsLikeDay(argv[i + 1])) return ["--now="];
		return [word];
	});
}

function startsLikeDay(word: string | undefined): boolean {
	return word !== undefined && /^\d/.test(word);
}

function isDay(text: string): boolean {
	return /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text);
}

function reportsDir({ files, root, cwd }: RollCliFrom): string {
	if (root !== "") return join(root, "reports");
	for (let dir = cwd; ; dir = dirname(dir)) {
		const found = files.stat(join(dir, "reports"));
		if (found.kind === "ok" && found.stat.kind === "dir")
			return join(dir, "reports");
		if (dir === dirname(dir)) return join(cwd, "reports");
	}
}

function usage(from: RollCliFrom, message: string): number {
	from.err(`${programLabel()}: ${message}`);
	from.err(USAGE);
	return 1;
}
