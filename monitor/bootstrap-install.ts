#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Starts an agent that helps to install nexus (contract 06 §5.6). Exit: 2 not from here, 3 installed already, 1 no claude, else claude's. */
import { bootstrapInstall } from "./_svc/bootstrap-install.ts";
import { parseCli } from "./_sys/cli.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";

const USAGE = `usage: bootstrap-install.ts [--force]
  Starts Claude Code with the instructions for a first installation; in tmux, in a sandbox.
  --force  though config/nexus.yml exists`;

// What it suggests would stand in the operator's input box.
process.env.CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION = "false";
const doors = realDoors({ logPrefix: "bootstrap" });

async function main(argv: readonly string[]): Promise<number> {
	const cli = parseCli(argv, { flags: { "--force": "switch" } });
	if (cli.kind === "help") {
		process.stdout.write(`${USAGE}\n`);
		return 0;
	}
	if (cli.kind === "refused") {
		doors.log.warn(cli.message);
		return 1;
	}
	return bootstrapInstall(doors, CODE_ROOT, cli.on("--force"), waitForEnter);
}

async function waitForEnter(): Promise<void> {
	if (!process.stdin.isTTY || !process.stdout.isTTY) return;
	process.stdout.write("Enter closes this window. ");
	for await (const _line of console) return;
}

process.exitCode = await main(process.argv.slice(2));
