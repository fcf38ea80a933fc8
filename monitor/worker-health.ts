#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `worker-health`: a worker tells how its job is (contract 08 §4.4). */
import { readSettings } from "./_state/settings.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";
import { answerHealth } from "./_worker-health/answer.ts";

const { files, clock, proc } = realDoors();
const { home } = await readSettings({ files, clock, proc }, CODE_ROOT, true);
process.exitCode = answerHealth(process.argv.slice(2), {
	files,
	clock,
	env: proc.env,
	stateDir: home.stateDir,
	out: console.log,
	err: complain,
});
