#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `paste-followup`: pastes a text into a worker's pane and proves that it was sent (contract 04 §7). */
import { pasteFollowup } from "./_followup/run.ts";
import { followupTimings } from "./_followup/timings.ts";
import { makeLookAt } from "./_pane/look.ts";
import { readerSettings } from "./_pane/settings.ts";
import { readSettings } from "./_state/settings.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

const doors = realDoors({ logPrefix: "paste-followup" });
const { home, config } = await readSettings(doors, CODE_ROOT, true);
const { stateDir } = home;
const settings = readerSettings(config);
const lookAt = makeLookAt({ doors, stateDir, settings });
process.exitCode = await pasteFollowup(process.argv.slice(2), {
	hands: (confirmTimeout) => ({
		doors,
		stateDir,
		lookAt,
		timings: followupTimings(config, confirmTimeout),
		orchestratorWindow: config["monitor.target_window"],
	}),
	stdin: process.stdin.isTTY ? null : () => Bun.stdin.text(),
	out: (line) => void process.stdout.write(`${line}\n`),
	err: complain,
});
