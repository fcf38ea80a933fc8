#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Brings back what is declared: watcher, orchestrator, services, workers (contract 06 §5.1). */
import { readSettings } from "./_state/settings.ts";
import { fiveColumns, listRegistry } from "./_svc/list.ts";
import { planRecovery, RECOVER_FLAGS } from "./_svc/recover/plan.ts";
import { recover } from "./_svc/recover.ts";
import { parseCli } from "./_sys/cli.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { exitOnSignals, processEvents } from "./_sys/process-events.ts";
import { realDoors } from "./_sys/real-doors.ts";

const USAGE = `usage: bootstrap-recover.ts [--services-only | --no-services | --watcher-only] [--no-orchestrator] [--no-workers] [--dry-run [--stops-taken-back]]
       bootstrap-recover.ts --list
  Starts what is declared and does not run; leaves alone what runs, and what was stopped on purpose.
  --stops-taken-back  decide as svc up, which takes back what stopped the whole stack
exit: 0 done (what failed is told), 1 usage or configuration, 3 another instance owns the root, 79 the registry cannot be read`;

const doors = realDoors({ logPrefix: "recover" });
const print = (line: string) => void process.stdout.write(`${line}\n`);

async function main(argv: readonly string[]): Promise<number> {
	const flags = [...RECOVER_FLAGS, "--list"];
	const cli = parseCli(argv, {
		flags: Object.fromEntries(flags.map((flag) => [flag, "switch"])),
	});
	if (cli.kind === "help") {
		print(USAGE);
		return 0;
	}
	if (cli.kind === "refused") return refuse(cli.message);
	const plan = planRecovery(new Set(RECOVER_FLAGS.filter((f) => cli.on(f))));
	if (plan.kind === "refused") return refuse(plan.line);
	const settings = await readSettings(doors, CODE_ROOT, false);
	if (cli.on("--list"))
		return listRegistry(doors, settings, print, fiveColumns);
	return recover({ doors, settings }, plan);
}

function refuse(line: string): 1 {
	doors.log.warn(line);
	return 1;
}

exitOnSignals(processEvents());
process.exitCode = await main(process.argv.slice(2));
