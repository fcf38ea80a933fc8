#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `svc`: looks after what runs beside the agents; in this part the watcher (contract 06 §6). */
import { servicesRegistryPath } from "./_state/services-registry.ts";
import { readSettings } from "./_state/settings.ts";
import { subjectOf } from "./_svc/subject.ts";
import { parseCli } from "./_sys/cli.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { SVC_VERBS, svcUsage } from "./svc-verbs.ts";

const doors = realDoors({ logPrefix: "svc" });
const print = (line: string) => void process.stdout.write(`${line}\n`);

async function main(argv: readonly string[]): Promise<number> {
	// An unset variable in the verb's place must not pass for "no verb".
	if (argv[0] === "") return refuse("the verb is empty");
	const cli = parseCli(argv, {
		flags: { "--json": "switch", "--force": "switch", "--status": "switch" },
		aliases: { "-1": "--status" },
		maxPositionals: 2,
	});
	if (cli.kind === "help") {
		print(svcUsage());
		return 0;
	}
	if (cli.kind === "refused") return refuse(cli.message);
	const [word = "status", name] = cli.positionals;
	const verb = SVC_VERBS.find((v) => v.name === word);
	if (verb === undefined) return refuse(`unknown argument: ${word}`);

	const settings = await readSettings(doors, CODE_ROOT, true);
	if (verb.needsName) {
		const subject = subjectOf({
			verb: verb.name,
			name,
			target: settings.config["monitor.target_window"],
			registry: servicesRegistryPath(doors.proc.env, settings.home.root),
		});
		if (subject.kind !== "watcher") return refuse(subject.line);
	}
	const { run } = await verb.load();
	const colour = process.stdout.isTTY && process.stdout.getColorDepth() >= 3;
	return run(name, { doors, settings, json: cli.on("--json"), colour, print });
}

function refuse(line: string): 1 {
	doors.log.warn(line);
	return 1;
}

process.exitCode = await main(process.argv.slice(2));
