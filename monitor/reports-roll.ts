#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
import { warningLine } from "../config/report.ts";
import { resolveConfig } from "../config/resolve.ts";
import { realClock } from "./_sys/clock.ts";
import { realFiles } from "./_sys/files.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { complain } from "./_sys/stderr.ts";
/** Archives old reports by hand (contract 01 §21). */
import { userHome } from "./_sys/user-home.ts";
import { rollByHand } from "./watcher/_reports_roll/cli.ts";

const { env } = process;
const { config, warnings } = resolveConfig({}, env, {
	root: CODE_ROOT,
	home: userHome(env),
});
for (const warning of warnings)
	if (warning.key === "REPORTS_ROLL_MIN_AGE_SECONDS")
		complain(warningLine("", warning));
process.exitCode = await rollByHand(process.argv.slice(2), {
	files: realFiles(),
	clock: realClock(env),
	cwd: process.cwd(),
	root: env.NEXUS_ROOT ?? "",
	minAge: config.REPORTS_ROLL_MIN_AGE_SECONDS,
	out: console.log,
	err: complain,
});
