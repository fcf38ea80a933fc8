#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `svc`: looks after what runs beside the agents, the watcher and the services of the registry (contract 06 §6). */
import { readSettings } from "./_state/settings.ts";
import { resolveSubject } from "./_svc/resolve-subject.ts";
import type { SvcContext } from "./_svc/verb.ts";
import { parseCli } from "./_sys/cli.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { exitOnSignals, processEvents } from "./_sys/process-events.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { RECOVER_SWITCHES, SVC_VERBS, svcUsage } from "./svc-verbs.ts";

const doors = realDoors({ logPrefix: "svc" });
const print = (line: string) => void process.stdout.write(`${line}\n`);

async function main(argv: readonly string[]): Promise<number> {
	// An unset variable in the verb's place must not pass for "no verb".
	if (argv[0] === "") return refuse("the verb is empty");
	const switches = [
		...["--json", "--force", "--status", "--no-scheduler"],
		...RECOVER_SWITCHES,
	];
	const cli = parseCli(argv, {
		flags: Object.fromEntries(switches.map((flag) => [flag, "switch"])),
		aliases: { "-1": "--status" },
		maxPositionals: 2,
	});
	if (cli.kind === "help") {
		print(svcUsage());
		return 0;
	}
	if (cli.kind === "refused") return refuse(cli.message);
	const bare = cli.positionals.length === 0 && !cli.on("--status");
	const [word = "status", name] = cli.positionals;
	const verb = SVC_VERBS.find((v) => v.name === word);
	if (verb === undefined) return refuse(`unknown argument: ${word}`);
	const recover = RECOVER_SWITCHES.filter((flag) => cli.on(flag));
	if (recover.length > 0 && verb.name !== "up")
		return refuse(`${recover[0]} belongs to the verb up`);
	const withoutScheduler = cli.on("--no-scheduler");
	if (withoutScheduler && verb.name !== "logs")
		return refuse("--no-scheduler belongs to the verb logs");

	const settings = await readSettings(doors, CODE_ROOT, true);
	const colour = process.stdout.isTTY && process.stdout.getColorDepth() >= 3;
	const json = cli.on("--json");
	const told = { json, colour, print, recover, withoutScheduler };
	const ctx = { doors, settings, ...told };
	if (bare && !json && canBeFilled(doors.proc.env.TERM)) return cockpit(ctx);
	if (verb.kind === "whole") return (await verb.load()).run(name, ctx);
	const subject = resolveSubject(doors, settings, verb.name, name);
	switch (subject.kind) {
		case "watcher":
			return (await verb.load()).run(name, ctx);
		case "service":
			return (await verb.loadService()).run(subject.row, ctx);
		case "unlisted":
			if (verb.loadUnlisted === undefined)
				return refuse(`'${subject.name}' is no longer in the registry`);
			return (await verb.loadUnlisted()).run(subject, ctx);
		default:
			doors.log.warn(subject.line);
			return subject.kind === "unknown" ? subject.exit : 1;
	}
}

/** A terminal that knows no escape sequences shows the table once. */
function canBeFilled(term: string | undefined): boolean {
	const knows = term !== undefined && term !== "" && term !== "dumb";
	return knows && process.stdin.isTTY && process.stdout.isTTY;
}

/** Ends the process itself: a check that still runs, or a terminal that is read, would keep it. */
async function cockpit(ctx: SvcContext): Promise<never> {
	const { runCockpit } = await import("./_svc/cockpit.ts");
	const { realTerminal } = await import("./_sys/terminal.ts");
	process.exit(await runCockpit(ctx, realTerminal(), processEvents()));
}

function refuse(line: string): 1 {
	doors.log.warn(line);
	return 1;
}

exitOnSignals(processEvents());
process.exitCode = await main(process.argv.slice(2));
