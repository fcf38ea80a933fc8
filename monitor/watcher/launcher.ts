#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
import { loadForStart } from "../../config/start.ts";
import { readSettings } from "../_state/settings.ts";
import { SESSION_VARIABLES } from "../_sys/claude-env.ts";
import { CODE_ROOT } from "../_sys/names.ts";
import { realDoors } from "../_sys/real-doors.ts";
/** Starts, replaces or ensures the watcher (contract 01 §17). */
import { userHome } from "../_sys/user-home.ts";
import { LAUNCH_USAGE, parseLaunchArgs } from "./_launch/args.ts";
import { configToPin } from "./_launch/environment.ts";
import { instanceStatus } from "./_launch/instance.ts";
import { type LaunchConfig, launch } from "./_launch.ts";

// A tmux server that this call has to start must not carry the caller's session on to every window.
for (const name of SESSION_VARIABLES) delete process.env[name];

const doors = realDoors({ logPrefix: "launcher" });
const print = (line: string) => process.stdout.write(`${line}\n`);

async function main(argv: readonly string[]): Promise<number> {
	const parsed = parseLaunchArgs(argv);
	if (parsed.kind === "help") {
		print(LAUNCH_USAGE);
		return 0;
	}
	if (parsed.kind === "usage") {
		doors.log.warn(parsed.message);
		return parsed.exit;
	}
	const { home } = await readSettings(doors, CODE_ROOT, false);
	if (parsed.kind === "instance-status") {
		for (const line of instanceStatus(doors, home.stateDir)) print(line);
		return 0;
	}
	const config = await launchConfig(home.root);
	return launch(doors, { args: parsed.args, home, config, print });
}

async function launchConfig(homeRoot: string): Promise<LaunchConfig> {
	const { files, clock, proc } = doors;
	const root = proc.env.NEXUS_ROOT || CODE_ROOT;
	const start = await loadForStart({
		files,
		clock,
		env: proc.env,
		root,
		uid: proc.uid,
		home: userHome(proc.env),
	});
	if (start.kind === "refused") return { kind: "bad", lines: start.lines };
	const pinned = configToPin(homeRoot, root, start.config.file);
	if (pinned !== null) process.env.NEXUS_CONFIG ||= pinned;
	return {
		kind: "ok",
		target: start.config["monitor.target_window"],
		beaconWindowSeconds:
			start.config["monitor.instance_heartbeat_staleness_seconds"],
	};
}

process.exitCode = await main(process.argv.slice(2));
