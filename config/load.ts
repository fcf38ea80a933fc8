#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
import { join } from "node:path";
import { configCachePath } from "../monitor/_state/config-cache.ts";
import { stateDirFromEnv, stateDirOf } from "../monitor/_state/state-dir.ts";
import { realClock } from "../monitor/_sys/clock.ts";
import { realFiles } from "../monitor/_sys/files.ts";
import { complain } from "../monitor/_sys/stderr.ts";
/** `config/load.ts`: asks the configuration file (contract 07 §4). stdout carries only values. */
import { userHome } from "../monitor/_sys/user-home.ts";
import { answerLoad } from "./load-cli.ts";
import type { Env } from "./resolve.ts";

/** Prints, and returns the exit code. `argv` without program and script. */
export async function main(argv: readonly string[], env: Env): Promise<number> {
	const root = env.NEXUS_ROOT || join(import.meta.dir, "..");
	const answer = await answerLoad(argv, {
		files: realFiles(),
		clock: realClock(env),
		env,
		root,
		home: userHome(env),
		uid: process.getuid?.() ?? 0,
		cachePath: configCachePath(stateDirFromEnv(env) ?? stateDirOf(root)),
	});
	for (const line of answer.err) complain(line);
	for (const line of answer.out) console.log(line);
	return answer.code;
}

if (import.meta.main)
	process.exitCode = await main(process.argv.slice(2), process.env);
