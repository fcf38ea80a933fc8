#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `cc-auto-update-apply`: tries another Claude Code beside the one that runs, and moves to it or not (contract 06 §13.3). */
import { installBeside } from "./_cc-apply/beside.ts";
import { proveCandidate } from "./_cc-apply/prove.ts";
import { runApply } from "./_cc-apply/run.ts";
import {
	claudeArgv,
	claudeConfig,
	claudeEnv,
	claudeHomeAt,
} from "./_nexus/demo/claude-home.ts";
import { startModelServer } from "./_nexus/demo/model/server.ts";
import { readSettings } from "./_state/settings.ts";
import { installClaude } from "./_svc/install-claude.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { realTmux } from "./_sys/tmux.ts";

const doors = realDoors({ logPrefix: "cc-apply" });
const settings = await readSettings(doors, CODE_ROOT, true);
const kit = {
	startModel: startModelServer,
	homeAt: claudeHomeAt,
	config: claudeConfig,
	env: claudeEnv,
	argv: claudeArgv,
	tmuxIn: (env: Readonly<Record<string, string>>) =>
		realTmux(doors.proc, doors.random, { env }),
};

process.exitCode = await runApply(process.argv.slice(2), {
	doors,
	settings,
	out: (line) => void process.stdout.write(`${line}\n`),
	err: (line) => doors.log.warn(line),
	hands: {
		beside: (candidate) => installBeside(doors, settings.home, candidate),
		prove: (binary) => proveCandidate(doors, kit, binary),
		install: () =>
			installClaude(doors, settings, (text, stream) => {
				process[stream].write(text);
			}),
	},
});
