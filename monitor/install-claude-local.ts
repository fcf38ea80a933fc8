#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Installs Claude Code into this checkout (contract 06 §11.3). Exit: 0 it runs and is the version in force, else 1. */
import { readSettings } from "./_state/settings.ts";
import { installClaude } from "./_svc/install-claude.ts";
import { CODE_ROOT, programPath } from "./_sys/names.ts";
import { refuseArguments } from "./_sys/no-arguments.ts";
import { processEvents } from "./_sys/process-events.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { shellWord } from "./_sys/shell-quote.ts";

const USAGE = `usage: install-claude-local.ts
  Installs the Claude Code in force into node_modules: the local pin's version, else that of package.json.
  env: NEXUS_CC_LOCAL_PIN (file of the pin), NEXUS_TRASH_DIR, CLAUDE_INSTALL_USE_CI=1 (npm ci), npm_config_cache
  exit: 0 it runs and tells that version, 1 not; then the old one is back in place`;

async function main(argv: readonly string[]): Promise<number> {
	const refused = refuseArguments(argv, USAGE);
	if (refused !== null) return refused;
	const doors = realDoors({ logPrefix: "install-claude" });
	const settings = await readSettings(doors, CODE_ROOT, true);
	for (const problem of settings.problems) doors.log.warn(problem);
	const over = new AbortController();
	for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const)
		processEvents().onSignal(signal, () => over.abort());
	const watch = (text: string, stream: "stdout" | "stderr") =>
		void process[stream].write(text);
	const done = await installClaude(doors, settings, watch, over.signal);
	if (done.kind === "failed") {
		doors.log.warn(done.why);
		doors.log.warn(`retry: ${shellWord(programPath("installClaude"))}`);
		return 1;
	}
	const verb = done.kind === "already" ? "already at" : "installed";
	console.log(`${verb} ${done.version} source=${done.source}`);
	return 0;
}

process.exitCode = await main(process.argv.slice(2));
