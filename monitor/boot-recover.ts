#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** After a boot: looks whether anything is down, and starts a recovery beside the caller (contract 06 §5.5). For login shells and session hooks. */
import { readSettings } from "./_state/settings.ts";
import { bootRecover } from "./_svc/boot-recover.ts";
import { parseCli } from "./_sys/cli.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";

const USAGE = `usage: boot-recover.ts [--force] [--sync]
  --force  look even when it was looked a moment ago
  --sync   recover in the foreground`;

const doors = realDoors({ logPrefix: "boot-recover" });

async function main(argv: readonly string[]): Promise<number> {
	const cli = parseCli(argv, {
		flags: { "--force": "switch", "--sync": "switch" },
	});
	if (cli.kind === "help") {
		process.stdout.write(`${USAGE}\n`);
		return 0;
	}
	if (cli.kind === "refused") {
		doors.log.warn(cli.message);
		return 1;
	}
	const settings = await readSettings(doors, CODE_ROOT, true);
	const force = cli.on("--force");
	const sync = cli.on("--sync");
	return bootRecover(doors, settings, { force, sync });
}

process.exitCode = await main(process.argv.slice(2));
