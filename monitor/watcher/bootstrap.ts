#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
import { loadForStart } from "../../config/start.ts";
import { readSettings } from "../_state/settings.ts";
import { CODE_ROOT } from "../_sys/names.ts";
import { realDoors } from "../_sys/real-doors.ts";
/** First action of every orchestrator turn (contract 01 §19). Exit 1: the watcher is down and cannot be started. */
import { userHome } from "../_sys/user-home.ts";
import { BOOTSTRAP_USAGE, parseBootstrapArgs } from "./_bootstrap/args.ts";
import { bootstrap } from "./_bootstrap.ts";

const doors = realDoors({ logPrefix: "bootstrap" });
const print = (text: string) => process.stdout.write(text);

async function main(argv: readonly string[]): Promise<number> {
	const cli = parseBootstrapArgs(argv);
	if (cli.kind === "help") {
		print(`${BOOTSTRAP_USAGE}\n`);
		return 0;
	}
	if (cli.kind === "refused") {
		doors.log.warn(cli.message);
		return 1;
	}
	const { files, clock, proc } = doors;
	const settings = await readSettings(doors, CODE_ROOT, true);
	const start = await loadForStart({
		files,
		clock,
		env: proc.env,
		root: proc.env.NEXUS_ROOT || CODE_ROOT,
		uid: proc.uid,
		home: userHome(proc.env),
	});
	const updateAck = !cli.on("--no-update-ack");
	const refusal = start.kind === "refused" ? start : null;
	return bootstrap(doors, { settings, refusal, updateAck, print });
}

process.exitCode = await main(process.argv.slice(2));
