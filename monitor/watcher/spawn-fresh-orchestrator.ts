#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * Replaces a wedged orchestrator by hand (contract 04 §15): whatever runs in its window is closed. Exit: 0 done,
 * 1 usage or root, 2 no tmux, 3 no window, 4 brief not delivered. Called by the orchestrator itself: 0 it will be done.
 */
import { readPin } from "../_state/orchestrator-session-id.ts";
import { readSettings } from "../_state/settings.ts";
import { parseCli } from "../_sys/cli.ts";
import { CODE_ROOT } from "../_sys/names.ts";
import { realDoors } from "../_sys/real-doors.ts";
import { validateWindowName } from "../_sys/tmux-lookup.ts";
import { isOrchestrator, replaceFromOutside } from "./_spawn_fresh/apart.ts";
import { paneHands } from "./emit-wiring.ts";
import { replaceOnce } from "./replace-wiring.ts";

const USAGE = `usage: spawn-fresh-orchestrator.ts --target <window> [--reason <text>] [--previous-sid <id>] [--fresh]
  Closes the orchestrator's window and opens a new one, which is told how things stand. An orchestrator that calls it
  has its answer at once, and is replaced a moment later; what became of it stands in watcher.log.
  --fresh  without the old context; default: the recorded session is resumed when it can be`;

const doors = realDoors({ logPrefix: "spawn-fresh-orchestrator" });

async function main(argv: readonly string[]): Promise<number> {
	const cli = parseCli(argv, {
		flags: {
			"--target": "value",
			"--reason": "value",
			"--previous-sid": "value",
			"--fresh": "switch",
		},
	});
	if (cli.kind === "help") {
		console.log(USAGE);
		return 0;
	}
	if (cli.kind === "refused") return refuse(cli.message);
	if (argv.length === 0) return refuse(`--target is missing\n${USAGE}`);
	const target = cli.value("--target") ?? "";
	const why = validateWindowName(target);
	if (why !== null) return refuse(`--target: ${why}`);
	const { home, config, problems } = await readSettings(doors, CODE_ROOT, true);
	if (problems.length > 0) return refuse(problems.join("\n"));
	if (doors.files.stat(home.stateDir).kind !== "ok")
		return refuse(`no state folder below ${home.root}: is this the root?`);
	if (isOrchestrator(doors)) return replaceFromOutside(doors, argv, home);
	return replaceOnce(
		doors,
		{ ...home, config, target: config["monitor.target_window"] },
		paneHands(doors),
		{
			target,
			reason: cli.value("--reason") ?? "asked for by hand",
			previousSid:
				cli.value("--previous-sid") ??
				readPin(doors.files, home.stateDir) ??
				"",
			fresh: cli.on("--fresh"),
		},
	);
}

function refuse(message: string): 1 {
	doors.log.warn(message);
	return 1;
}

process.exitCode = await main(process.argv.slice(2));
