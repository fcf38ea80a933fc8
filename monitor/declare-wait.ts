#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `declare-wait`: what outside work this worker waits for (contract 08 §4.1). */
import { declareWait } from "./_declare/wait.ts";
import { readSettings } from "./_state/settings.ts";
import { realClock } from "./_sys/clock.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

const { files, clock, proc } = realDoors();
const { home } = await readSettings({ files, clock, proc }, CODE_ROOT, true);
process.exitCode = await declareWait(process.argv.slice(2), {
	files,
	clock,
	timer: realClock({}),
	env: proc.env,
	stateDir: home.stateDir,
	out: console.log,
	err: complain,
});
