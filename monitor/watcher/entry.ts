#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `./nexus` without a verb (contract 01 §18). Exit: 0, 1 usage, 2 not from here, 3 another instance. */
import { readSettings } from "../_state/settings.ts";
import { parseCli } from "../_sys/cli.ts";
import { CODE_ROOT } from "../_sys/names.ts";
import { realDoors } from "../_sys/real-doors.ts";
import { enter } from "./_entry.ts";

const USAGE = `usage: ./nexus [--continue] [--i-accept-no-sandbox]
  Checks this window, brings up watcher, orchestrator, services and workers, and becomes the cockpit.
  --continue             a new orchestrator resumes the recorded session instead of starting fresh
  --i-accept-no-sandbox  start outside a sandbox; remembered in the state dir`;

const doors = realDoors({ logPrefix: "nexus" });

async function main(argv: readonly string[]): Promise<number> {
	const cli = parseCli(argv, {
		flags: { "--continue": "switch", "--i-accept-no-sandbox": "switch" },
	});
	if (cli.kind === "help") {
		console.log(USAGE);
		return 0;
	}
	if (cli.kind === "refused") {
		doors.log.warn(cli.message);
		return 1;
	}
	const settings = await readSettings(doors, CODE_ROOT, true);
	// What runs below must mean the same root, wherever it looks.
	process.env.NEXUS_ROOT = settings.home.root;
	return enter(doors, settings, {
		continueFlag: cli.on("--continue"),
		acceptNoSandbox: cli.on("--i-accept-no-sandbox"),
		isInteractive: process.stdin.isTTY && process.stdout.isTTY,
	});
}

process.exitCode = await main(process.argv.slice(2));
