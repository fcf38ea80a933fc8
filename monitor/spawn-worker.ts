#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `spawn-worker`: starts a worker in a window of its own, or resumes one (contract 08 §8). */
import { openContext } from "./_spawn/open.ts";
import { runSpawn } from "./_spawn/run.ts";
import { bearBrokenPipe } from "./_sys/broken-pipe.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

bearBrokenPipe();
const say = {
	out: (line: string) => void process.stdout.write(`${line}\n`),
	err: complain,
};

process.exitCode = await runSpawn(process.argv.slice(2), say, () =>
	openContext(
		realDoors({ logPrefix: "spawn-worker" }),
		CODE_ROOT,
		process.cwd(),
		say,
	),
);
